import {
  ActionIcon,
  AppShell,
  Badge,
  Burger,
  Group,
  Menu,
  NavLink,
  ScrollArea,
  Text,
  Tooltip,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconKeyboard, IconLogout, IconMoon, IconSun, IconUserCircle } from '@tabler/icons-react';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Page } from '../api/paging';
import { useOne } from '../api/paging';
import { useKeys } from './keys';
import { useLive } from './live';
import { LiveBadge } from './live-badge';
import { GROUPS } from './navigation';
import { useMay, useSession } from './session-context';
import classes from './shell.module.css';
import { useSignOut } from './signed-in';

/** Navigation, who is signed in, whether what is shown is live; the page itself in the middle. */
export function Shell() {
  const [open, { toggle, close }] = useDisclosure(false);
  const location = useLocation();
  const main = useRef<HTMLElement>(null);
  useLive(useMay('GET /v1/stream'));
  const help = useKeys();
  const path = location.pathname;
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    close();
    // A list that stands beside what it opens is walked on.
    if (document.activeElement?.closest('[data-keeps-focus=true]')) return;
    // A screen reader goes on where the new page begins.
    main.current?.focus({ preventScroll: true });
  }, [path, close]);

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !open } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className={classes.skip} href="#main">
        To the content
      </a>
      <AppShell.Header className={classes.header}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={open}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={open ? 'Close the navigation' : 'Open the navigation'}
            />
            <Link to="/" className={classes.brand} aria-label="Cairn, home">
              <img src="/cairn.svg" alt="" width={26} height={26} />
              <Text fw={700} size="lg">
                Cairn
              </Text>
            </Link>
            <WorkspaceName />
          </Group>
          <Group gap={6} wrap="nowrap">
            <LiveBadge />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="Keys of this console"
              visibleFrom="sm"
              onClick={help}
            >
              <IconKeyboard size={18} />
            </ActionIcon>
            <SchemeToggle />
            <Who />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar}>
        <AppShell.Section grow component={ScrollArea} type="auto">
          <nav aria-label="Pages">
            <Places path={path} />
          </nav>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main ref={main} id="main" tabIndex={-1} className={classes.main}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

function Places({ path }: { path: string }) {
  const { allowed } = useSession();
  return GROUPS.map(({ label, places }) => {
    const shown = places.filter(({ needs }) => allowed.includes(needs));
    if (shown.length === 0) return null;
    return (
      <div key={label} className={classes.group}>
        <Text className={classes.groupLabel} id={`nav-${label}`}>
          {label}
        </Text>
        {shown.map(({ to, label: name, icon: Icon }) => {
          const active = to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`);
          return (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={name}
              active={active}
              aria-current={active ? 'page' : undefined}
              leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
              rightSection={to === '/inbox' ? <OpenCount /> : null}
              className={classes.link}
            />
          );
        })}
      </div>
    );
  });
}

function OpenCount() {
  const { data } = useOne<Page<unknown>>('proposals', '/v1/proposals', {
    status: 'open',
    limit: 1,
  });
  if (data === undefined || data.total === 0) return null;
  return (
    <Badge size="sm" variant="filled" circle={data.total < 10} aria-label={`${data.total} open`}>
      {data.total > 999 ? '999+' : data.total}
    </Badge>
  );
}

function WorkspaceName() {
  const { workspace } = useSession();
  return (
    <Group gap={6} wrap="nowrap" visibleFrom="xs">
      <Text c="dimmed" aria-hidden>
        /
      </Text>
      <Text size="sm" fw={500} truncate maw={220}>
        {workspace.name || workspace.id}
      </Text>
      {workspace.memory_mode !== 'automatic' && (
        <Tooltip label="Of the whole workspace; see Settings">
          <Badge size="sm" color="orange" variant="light">
            memory {workspace.memory_mode}
          </Badge>
        </Tooltip>
      )}
    </Group>
  );
}

function SchemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const dark =
    colorScheme === 'dark' ||
    (colorScheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  useHotkeys([['mod+J', () => setColorScheme(dark ? 'light' : 'dark')]]);
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={dark ? 'Light colours' : 'Dark colours'}
      onClick={() => setColorScheme(dark ? 'light' : 'dark')}
    >
      {dark ? <IconSun size={18} /> : <IconMoon size={18} />}
    </ActionIcon>
  );
}

function Who() {
  const { principal } = useSession();
  const leave = useSignOut();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes.who} aria-label={`Signed in as ${principal.id}`}>
          <IconUserCircle size={22} stroke={1.5} aria-hidden />
          <Text size="sm" visibleFrom="md" truncate maw={160}>
            {principal.name || principal.id}
          </Text>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {principal.id} · {principal.role ?? principal.kind}
        </Menu.Label>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={leave}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
