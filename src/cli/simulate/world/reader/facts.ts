import type { Choice } from '../dimensions';

/**
 * What a statement says about one dimension. `must` names all that is accepted; of a batch it is the
 * limit. `works` and `out` name values that were tried, or that a lesson recommends or warns of.
 */
export interface Fact {
  param: string;
  says: 'must' | 'works' | 'out';
  choices: readonly Choice[];
}
