// Before the first paint, so that a dark page does not flash white; a file, since the policy of the page
// allows no script within it.
(() => {
  const kept = localStorage.getItem('mantine-color-scheme-value');
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const scheme = kept === 'dark' || kept === 'light' ? kept : dark ? 'dark' : 'light';
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
})();
