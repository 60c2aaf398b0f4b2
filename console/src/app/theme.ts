import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

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
  primaryShade: { light: 6, dark: 6 },
  autoContrast: true,
  colors: { lichen },
  fontFamily: '"Inter Variable", system-ui, -apple-system, "Segoe UI", sans-serif',
  fontFamilyMonospace: '"JetBrains Mono Variable", ui-monospace, Menlo, Consolas, monospace',
  headings: { fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
  },
});

/** Colours whose light shade carries words: marks, badges, alerts. */
const WORDED = [
  'lichen',
  'gray',
  'red',
  'pink',
  'grape',
  'violet',
  'indigo',
  'blue',
  'cyan',
  'teal',
  'green',
  'lime',
  'yellow',
  'orange',
];

/** Filled red carries white words, at 4.5 to 1 from this shade on. */
const FILLED = {
  '--mantine-color-red-filled': 'var(--mantine-color-red-8)',
  '--mantine-color-red-filled-hover': 'var(--mantine-color-red-9)',
};

function shades(scheme: 'light' | 'dark'): Record<string, string> {
  return Object.fromEntries(
    WORDED.map((color) => [
      `--mantine-color-${color}-light-color`,
      scheme === 'light'
        ? `color-mix(in srgb, var(--mantine-color-${color}-9) 72%, black)`
        : `var(--mantine-color-${color}-2)`,
    ]),
  );
}

/** Mantine's own greys and light badges miss 4.5 to 1 on the backgrounds used here. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': '#68717a',
    '--mantine-color-anchor': 'var(--mantine-color-lichen-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    ...FILLED,
    ...shades('light'),
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': '#9a9a9a',
    '--mantine-color-anchor': 'var(--mantine-color-lichen-3)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    ...FILLED,
    ...shades('dark'),
  },
});
