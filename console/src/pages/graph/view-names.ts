/** What the graph keeps in its address. */
export const VIEW = [
  /** The card that the graph is drawn around, and how many steps; without it: the newest cards. */
  'center',
  'depth',
  /** Cards whose neighbours were loaded too, with commas. */
  'open',
  'kinds',
  'edges',
  'agent',
  'sign',
  'lone',
  /** Cards recorded later are hidden; `before`: and not loaded. */
  'until',
  'before',
  'limit',
  'q',
  /** The card that is shown beside the graph. */
  'card',
  'view',
  'list',
] as const;
