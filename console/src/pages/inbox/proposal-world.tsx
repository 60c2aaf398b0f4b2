import type { ReactNode } from 'react';
import type {
  ArchiveChange,
  ConfigFixChange,
  ContradictionChange,
  LinkChange,
  MergeChange,
  PromotionChange,
  ProposalDetail,
} from '../../../../src/contracts/proposal';
import { Panel } from '../../components/panel';
import { ArchiveWorld, LinkWorld, MergeWorld } from './cards-world';
import { ConfigFixWorld } from './config-fix-world';
import { ContradictionWorld } from './contradiction-world';
import { CardsOf } from './evidence';
import { PromotionWorld } from './promotion-world';
import { FactWorld, SkillWorld } from './skill-world';

/** What a proposal would change, by its type, and the cards behind it. */
export function ProposalWorld({
  proposal,
  winner,
  choose,
}: {
  proposal: ProposalDetail;
  /** Of a contradiction: the side to keep; null is the suggested one. */
  winner: string | null;
  /** Left out where nothing is to be chosen any more. */
  choose?: (winner: string) => void;
}): ReactNode {
  const { type, change, evidence, summary } = proposal;
  const behind = (
    <Panel title={type === 'config_fix' ? 'The failures behind it' : 'Evidence'}>
      <CardsOf ids={evidence} />
    </Panel>
  );
  // Whoever may not see what it was made from is shown where a fix belongs, and nothing of the others.
  if (summary === null && type !== 'config_fix') return behind;
  switch (type) {
    case 'config_fix':
      return (
        <>
          <ConfigFixWorld change={change as Partial<ConfigFixChange>} summary={summary} />
          {behind}
        </>
      );
    case 'contradiction':
      return (
        <ContradictionWorld
          change={change as ContradictionChange}
          winner={winner}
          {...(choose === undefined ? {} : { choose })}
        />
      );
    case 'promotion':
      return <PromotionWorld change={change as PromotionChange} />;
    case 'skill':
      return (
        <>
          <SkillWorld change={change} summary={summary ?? ''} />
          {behind}
        </>
      );
    case 'fact':
      return (
        <>
          <FactWorld summary={summary ?? ''} />
          {behind}
        </>
      );
    case 'link':
      return <LinkWorld change={change as LinkChange} summary={summary ?? ''} />;
    case 'merge':
      return <MergeWorld change={change as MergeChange} cards={proposal.cards} />;
    case 'archive':
      return <ArchiveWorld change={change as ArchiveChange} summary={summary ?? ''} />;
    default:
      return type satisfies never;
  }
}
