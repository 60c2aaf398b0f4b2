// Put into each page that bench/console.ts opens: from an input to the frame that shows what came of it.
(() => {
  const INPUTS = ['keydown', 'input', 'pointerdown', 'wheel'];
  const durations = [];
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) {
      if (interactionId > 0) durations.push(duration);
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });

  let began = 0;
  let waiting = null;
  const begin = (event) => {
    began = event.timeStamp;
  };
  for (const name of INPUTS) window.addEventListener(name, begin, { capture: true, passive: true });

  const isQuiet = () => document.querySelector('main [aria-busy=true]') === null;
  /** An answer to what was asked since the input. */
  const answered = (path) =>
    performance.getEntriesByType('resource').some(({ name, startTime, responseEnd }) => {
      const url = new URL(name);
      return url.pathname === path && startTime >= began && responseEnd > 0;
    });
  const table = () => document.querySelector('main [role=table]');
  const rowAtBottom = () => {
    const { left, width, bottom } = table().getBoundingClientRect();
    return (
      document.elementFromPoint(left + width / 2, bottom - 12)?.closest('[data-index]') ?? null
    );
  };
  /** By name, what has to be seen. */
  const SEEN = {
    search: () => answered('/v1/cards') && isQuiet(),
    facet: () => answered('/v1/cards') && answered('/v1/cards/facets') && isQuiet(),
    scroll: () => table().scrollTop > 0 && rowAtBottom() !== null,
    open: () => answered(`/v1${location.pathname}`) && isQuiet(),
    back: () => location.pathname === '/cards' && table() !== null && isQuiet(),
  };

  window.bench = {
    /** Begins to wait; `ended` has the milliseconds. */
    expect(name) {
      performance.clearResourceTimings();
      began = 0;
      waiting = new Promise((resolve) => {
        const look = () => {
          if (began === 0 || !SEEN[name]()) {
            requestAnimationFrame(look);
            return;
          }
          // What was drawn in this frame is on the screen when the next one begins.
          requestAnimationFrame(() => resolve(performance.now() - began));
        };
        requestAnimationFrame(look);
      });
    },
    ended: () => waiting,
    back() {
      began = performance.now();
      history.back();
    },
    /** Of each click and key that took longer than a frame, by the browser's own measure. */
    durations: () => durations,
  };
})();
