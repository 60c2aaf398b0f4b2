import { Stack, Text } from '@mantine/core';
import type { Skill } from '../../../../src/contracts/skill';
import { CardById } from '../../components/card-by-id';
import { Facts } from '../../components/facts';
import { AnchorLink } from '../../components/links';
import { Panel } from '../../components/panel';

/** The work and the cards that a version was made from. */
export function SkillOrigin({ skill }: { skill: Skill }) {
  const { provenance: from } = skill;
  return (
    <Stack>
      <Panel title="Written">
        <Facts
          rows={[
            ['By', `${from.writer.kind} ${from.writer.id}`],
            ['Model', from.model],
            ['Prompt', from.prompt_version],
            [
              'In run',
              from.run === null ? null : (
                <AnchorLink key="r" to="/runs/$id" params={{ id: from.run }}>
                  {from.run}
                </AnchorLink>
              ),
            ],
            [
              'Its card',
              <AnchorLink key="c" to="/cards/$id" params={{ id: skill.card_id }}>
                who sees it, who used it
              </AnchorLink>,
            ],
            [
              'Events',
              from.events.length === 0
                ? null
                : from.events.map((id) => (
                    <AnchorLink key={id} to="/captures/$id" params={{ id }} mr={8}>
                      {id}
                    </AnchorLink>
                  )),
            ],
          ]}
        />
      </Panel>
      <Panel title="Cards that it was made from">
        {from.cards.length === 0 ? (
          <Text size="sm" c="dimmed">
            None: somebody wrote it down.
          </Text>
        ) : (
          <Stack gap="sm">
            {from.cards.slice(0, 20).map((id) => (
              <CardById key={id} id={id} lines={2} />
            ))}
          </Stack>
        )}
      </Panel>
    </Stack>
  );
}
