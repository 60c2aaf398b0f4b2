import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { getRouteApi, useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { useOne } from '../../../api/paging';
import { useMay } from '../../../app/session-context';
import { Loaded } from '../../../components/loaded';
import { PATHS } from './fields';
import { PartNav } from './part-nav';
import { PARTS } from './parts';
import {
  type Edits,
  type PolicyAnswer,
  type PolicyPath,
  patchOf,
  readAt,
  same,
  writeAt,
} from './paths';
import classes from './policy.module.css';
import { PolicyForm } from './policy-form';
import { PolicyJson } from './policy-json';
import { PreviewModal } from './preview-modal';
import { useSaving } from './use-saving';

const route = getRouteApi('/settings');

/** The rules of the workspace: what each is for, what it is now, what a change would mean. */
export function PolicyTab() {
  const policy = useOne<PolicyAnswer>('policy', '/v1/policy');
  return <Loaded query={policy}>{(data) => <Editor policy={data} />}</Loaded>;
}

function Editor({ policy }: { policy: PolicyAnswer }) {
  const { part, view, q: find = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const mayChange = useMay('PUT /v1/policy');
  const mayLook = useMay('POST /v1/policy/preview');
  const [edits, setEdits] = useState<Edits>({});
  const [saves, setSaves] = useState(0);
  const saving = useSaving(() => {
    setEdits({});
    setSaves((n) => n + 1);
  });
  const at = PARTS.find(({ id }) => id === part)?.id ?? 'capture';
  const isJson = view === 'json';

  // What somebody else saved meanwhile may be what was wanted here.
  const changed = PATHS.filter(
    (path) => Object.hasOwn(edits, path) && !same(edits[path], readAt(policy, path)),
  );
  const wanted: Edits = Object.fromEntries(changed.map((path) => [path, edits[path]]));
  useBlocker({
    disabled: changed.length === 0,
    enableBeforeUnload: changed.length > 0,
    shouldBlockFn: ({ current, next }) => {
      const stays =
        next.pathname === current.pathname && (next.search as { tab?: string }).tab === 'policy';
      return !stays && !window.confirm('Leave? The changes of the policy are not saved.');
    },
  });
  const takeBack = (path: PolicyPath) => setEdits(({ [path]: _gone, ...rest }) => rest as Edits);
  const { version, ...document } = policy;
  const candidate = changed.reduce<unknown>(
    (now, path) => writeAt(now, path, edits[path]),
    document,
  );
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-end" gap="sm">
        <TextInput
          label="Find a field"
          placeholder="reminders, similarity, per minute…"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={find}
          data-page-search
          disabled={isJson}
          onChange={(event) => {
            const q = event.currentTarget.value || undefined;
            void navigate({ search: (now) => ({ ...now, q }), replace: true });
          }}
          style={{ flex: '0 1 320px' }}
        />
        <Group gap="md">
          <Text size="sm" c="dimmed" className="numbers">
            Version {version}
          </Text>
          <SegmentedControl
            aria-label="How the policy is shown"
            data={[
              { value: 'form', label: 'Form' },
              { value: 'json', label: 'JSON' },
            ]}
            value={isJson ? 'json' : 'form'}
            onChange={(to) =>
              void navigate({
                search: (now) => ({ ...now, view: to === 'json' ? 'json' : undefined }),
              })
            }
          />
        </Group>
      </Group>
      {isJson ? (
        <PolicyJson
          key={saves}
          document={candidate}
          version={version}
          mayChange={mayChange}
          mayLook={mayLook}
          looking={saving.looking}
          look={(patch) => saving.look(patch, version)}
        />
      ) : (
        <div className={classes.layout}>
          <PartNav
            at={find === '' ? at : null}
            changed={changed}
            go={(id) => void navigate({ search: { tab: 'policy', part: id } })}
          />
          <div>
            <PolicyForm
              policy={policy}
              edits={edits}
              part={at}
              find={find}
              mayChange={mayChange}
              change={(path, value) => setEdits((now) => ({ ...now, [path]: value }))}
              takeBack={takeBack}
            />
            {!mayChange && (
              <Text size="sm" c="dimmed" mt="md">
                Owners and operators change the policy.
              </Text>
            )}
            {changed.length > 0 && (
              <Group
                className={classes.bar}
                justify="space-between"
                gap="xs"
                role="region"
                aria-label="Changes"
              >
                <Text size="sm" fw={550} role="status">
                  {changed.length === 1 ? '1 field' : `${changed.length} fields`} changed, not saved
                </Text>
                <Group gap="xs">
                  <Button variant="default" size="xs" onClick={() => setEdits({})}>
                    Take all back
                  </Button>
                  <Button
                    size="xs"
                    loading={saving.looking}
                    onClick={() => saving.look(patchOf(wanted), version)}
                  >
                    See what would change
                  </Button>
                </Group>
              </Group>
            )}
          </div>
        </div>
      )}
      {saving.looked !== null && (
        <PreviewModal
          preview={saving.looked}
          saving={saving.saving}
          save={saving.save}
          close={saving.close}
        />
      )}
    </Stack>
  );
}
