import { Text } from '@mantine/core';
import { AnchorLink } from '../../components/links';

/** What an audit row is about, with the way to it where there is a page for it. */
export function TargetLink({ type, id }: { type: string; id: string }) {
  const words = (
    <Text span size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
      {id}
    </Text>
  );
  switch (type) {
    case 'card':
      return (
        <AnchorLink to="/cards/$id" params={{ id }}>
          {words}
        </AnchorLink>
      );
    case 'event':
      return (
        <AnchorLink to="/captures/$id" params={{ id }}>
          {words}
        </AnchorLink>
      );
    case 'proposal':
      return (
        <AnchorLink to="/inbox/$id" params={{ id }}>
          {words}
        </AnchorLink>
      );
    case 'agent':
      return (
        <AnchorLink to="/agents/$id" params={{ id }}>
          {words}
        </AnchorLink>
      );
    case 'run':
    case 'operation':
      return (
        <AnchorLink to="/runs/$id" params={{ id }}>
          {words}
        </AnchorLink>
      );
    case 'erasure':
      return (
        <AnchorLink to="/erasures/$id" params={{ id }}>
          {words}
        </AnchorLink>
      );
    case 'insight':
      return (
        <AnchorLink to="/insights/$id" params={{ id }}>
          {words}
        </AnchorLink>
      );
    case 'skill':
      return (
        <AnchorLink to="/skills/$name" params={{ name: id }}>
          {words}
        </AnchorLink>
      );
    case 'key':
    case 'policy':
    case 'person':
    case 'team':
    case 'webhook':
    case 'workspace':
      return <AnchorLink to="/settings">{words}</AnchorLink>;
    default:
      return words;
  }
}
