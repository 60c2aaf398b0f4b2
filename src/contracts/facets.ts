/** What cards can be narrowed to with one more step; each is a parameter of `GET /v1/cards` by the same name. */
export const FACETS = ['kind', 'sign', 'status', 'scope', 'agent', 'service'] as const;
export type Facet = (typeof FACETS)[number];

export interface FacetValue {
  /** As the parameter takes it; a scope is `<type>/<id>`. */
  value: string;
  /** How many cards the list would have with this value and all other filters. */
  count: number;
}

export interface CardFacets {
  /** Exact: how many cards the list has with all filters. */
  total: number;
  /** Of each the 50 largest, the largest first. */
  facets: Record<Facet, FacetValue[]>;
}
