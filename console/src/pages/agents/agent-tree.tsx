import { Button, Group, Loader, Text, Tree, type TreeNodeData, useTree } from '@mantine/core';
import { IconChevronRight, IconRobot } from '@tabler/icons-react';
import { useEffect, useMemo } from 'react';
import type { Agent } from '../../../../src/contracts/principal';
import { useRows } from '../../api/paging';
import { Empty } from '../../components/empty';
import { Failed } from '../../components/failed';
import { AnchorLink } from '../../components/links';
import { AgentMarks } from './agent-marks';
import classes from './agents.module.css';

const PAGE = 500;

/** Parents above those that they spawned; of a fleet of thousands as many as were loaded. */
export function AgentTree() {
  const rows = useRows<Agent>('agents', '/v1/agents', {}, { pageSize: PAGE });
  const { items, more, loadMore } = rows;
  useEffect(() => {
    if (more && items.length < 10 * PAGE) loadMore();
  }, [more, loadMore, items.length]);
  const byId = useMemo(() => new Map(items.map((agent) => [agent.id, agent])), [items]);
  const data = useMemo(() => treeOf(items), [items]);
  const tree = useTree();
  if (rows.error !== null) return <Failed error={rows.error} again={rows.again} />;
  if (rows.loading) return <Loader aria-label="Loading the tree" />;
  if (items.length === 0) return <Empty title="No agents yet" />;
  return (
    <>
      <Group mb="sm" gap="xs">
        <Button size="xs" variant="default" onClick={() => tree.expandAllNodes()}>
          Open all
        </Button>
        <Button size="xs" variant="default" onClick={() => tree.collapseAllNodes()}>
          Close all
        </Button>
        <Text size="xs" c="dimmed">
          {items.length.toLocaleString()} of {rows.total.toLocaleString()} agents; arrow keys open
          and close
        </Text>
      </Group>
      <Tree
        data={data}
        tree={tree}
        levelOffset={26}
        aria-label="Who spawned whom"
        classNames={{ root: classes.tree ?? '', label: classes.node ?? '' }}
        renderNode={({ node, expanded, hasChildren, elementProps }) => {
          const agent = byId.get(node.value);
          return (
            <Group gap={8} {...elementProps} wrap="nowrap">
              <IconChevronRight
                size={14}
                aria-hidden
                className={classes.chevron}
                data-open={expanded}
                visibility={hasChildren ? 'visible' : 'hidden'}
              />
              <IconRobot size={16} stroke={1.5} aria-hidden />
              <AnchorLink to="/agents/$id" params={{ id: node.value }} tabIndex={-1}>
                {node.label}
              </AnchorLink>
              {agent !== undefined && <AgentMarks agent={agent} />}
              {hasChildren && (
                <Text size="xs" c="dimmed">
                  {node.children?.length}
                </Text>
              )}
            </Group>
          );
        }}
      />
    </>
  );
}

/** @returns roots; an agent whose parent is not loaded stands as one */
function treeOf(agents: readonly Agent[]): TreeNodeData[] {
  const nodes = new Map(
    agents.map(({ id }) => [id, { value: id, label: id, children: [] as TreeNodeData[] }]),
  );
  const roots: TreeNodeData[] = [];
  for (const { id, parent_agent: parent } of agents) {
    const node = nodes.get(id);
    if (node === undefined) continue;
    const above = parent === null ? undefined : nodes.get(parent);
    if (above === undefined) roots.push(node);
    else above.children.push(node);
  }
  return roots;
}
