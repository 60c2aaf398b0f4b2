import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** The green of lichen on stone; 6 and above carry white text at 4.5 to 1. */
const lichen: MantineColorsTuple = [
  '#edf8f5',
  '#d9eee8',
  '#b0ddd1',
  '#84ccb9',
  '#5fb3a1',
  '#3f9684',
  '#23776a',
  '#1c6358',
  '#154f47',
  '#0e3b36',
];

export const theme = createTheme({
  primaryColor: 'lichen',
  primaryShade: { light: 6, dark: 5 },
  autoContrast: true,
  colors: { lichen },
  fontFamily: '"Inter Variable", system-ui, -apple-system, "Segoe UI", sans-serif',
  fontFamilyMonospace: '"JetBrains Mono Variable", ui-monospace, Menlo, Consolas, monospace',
  headings: { fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
});
