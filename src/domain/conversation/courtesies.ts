import { lexicalTerms } from '../terms';

/** What people say to each other and tell nothing by. */
export const COURTESIES: ReadonlySet<string> = new Set(
  lexicalTerms(
    'thanks thank hey hi hello wow cool great awesome nice good amazing totally agree agreed yep yeah yes no sure okay ' +
      'sounds sound glad happy hear see talk soon bye take care welcome really absolutely definitely exactly right ' +
      'congrats congratulations well luck keep going know think lovely wonderful fantastic interesting impressive ' +
      'beautiful guess fun chat catch later best wishes guys pal friend buddy sorry appreciate pretty much lot looks ' +
      'look like got way thing things feel let try',
  ).keys(),
);
