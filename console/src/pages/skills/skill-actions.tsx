import { IconDownload, IconTestPipe } from '@tabler/icons-react';
import type { Skill } from '../../../../src/contracts/skill';
import { get, send } from '../../api/http';
import { useMay } from '../../app/session-context';
import { confirm, DoButton, useDoing } from '../../components/doing';
import { saveFile } from '../../components/save-file';
import { scopeQuery, scopeText } from './scope';
import { WriteSkill } from './write-skill';

/** Test a version, which puts it in use where it passes; go back; advise it no longer; take it along. */
export function SkillActions({
  skill,
  shown,
}: {
  skill: Skill;
  /** Shows another version; undefined: the one in use. */
  shown(version: string | undefined): void;
}) {
  const path = `/v1/skills/${encodeURIComponent(skill.name)}`;
  const query = scopeQuery(scopeText(skill.scope));
  const touches = ['skills', 'cards'];
  const test = useDoing<void, { data: Skill }>({
    call: () => send(`${path}/versions/${skill.version}/test`, { method: 'POST', query }),
    done: ({ data }) =>
      data.test_result === null || data.test_result === undefined
        ? 'Tested'
        : `${data.test_result.passed} passed, ${data.test_result.failed} failed`,
    touches,
  });
  const back = useDoing<number>({
    call: (to) => send(`${path}/rollback`, { method: 'POST', query, body: { version: to } }),
    done: (_, to) => `Version ${to} is in use`,
    touches,
    then: () => shown(undefined),
  });
  const deprecate = useDoing({
    call: () => send(`${path}/deprecate`, { method: 'POST', query, body: {} }),
    done: 'No longer advised',
    touches,
  });
  const save = useDoing({
    call: async () => {
      const text = await get<string>(`${path}/skill.md`, { ...query, version: skill.version });
      saveFile('SKILL.md', 'text/markdown', text);
    },
    touches: [],
  });
  const mayTest = useMay('POST /v1/skills/:name/versions/:n/test');
  const mayBack = useMay('POST /v1/skills/:name/rollback');
  const mayDeprecate = useMay('POST /v1/skills/:name/deprecate');
  const mayWrite = useMay('POST /v1/skills/:name/versions');
  const isCurrent = skill.version === skill.current_version;
  return (
    <>
      {mayTest && (
        <DoButton
          doing={test}
          variant={isCurrent ? 'default' : 'filled'}
          leftSection={<IconTestPipe size={14} aria-hidden />}
          onClick={() => test.mutate()}
        >
          {isCurrent ? 'Test again' : 'Test, and use it where it passes'}
        </DoButton>
      )}
      {mayBack && !isCurrent && skill.version_status === 'retired' && (
        <DoButton
          doing={back}
          onClick={() =>
            confirm({
              title: `Use version ${skill.version} again?`,
              says: `Version ${skill.current_version ?? '—'} is put aside; it stays and can be taken back.`,
              yes: 'Roll back',
              onYes: () => back.mutate(skill.version),
            })
          }
        >
          Roll back to this
        </DoButton>
      )}
      {mayWrite && <WriteSkill of={skill} />}
      {mayDeprecate && skill.status !== 'deprecated' && (
        <DoButton
          doing={deprecate}
          onClick={() =>
            confirm({
              title: 'Advise it no longer?',
              says: 'No agent is handed it any more; it stays to be read.',
              yes: 'Deprecate',
              danger: true,
              onYes: () => deprecate.mutate(),
            })
          }
        >
          Deprecate
        </DoButton>
      )}
      <DoButton
        doing={save}
        leftSection={<IconDownload size={14} aria-hidden />}
        onClick={() => save.mutate()}
      >
        SKILL.md
      </DoButton>
    </>
  );
}
