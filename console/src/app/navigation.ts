import {
  IconAffiliate,
  IconBook2,
  IconBulb,
  IconCards,
  IconEraser,
  IconGauge,
  IconInbox,
  IconPlayerPlay,
  IconReportSearch,
  IconRobot,
  IconRoute,
  IconSettings,
} from '@tabler/icons-react';

/** A place in the navigation, and the route of the API without which it has nothing to show. */
export interface Place {
  to:
    | '/'
    | '/cards'
    | '/inbox'
    | '/recall'
    | '/graph'
    | '/runs'
    | '/audit'
    | '/erasures'
    | '/agents'
    | '/skills'
    | '/insights'
    | '/settings';
  label: string;
  icon: typeof IconCards;
  needs: string;
  /** Pressed after `g`. */
  letter: string;
}

export interface Group {
  label: string;
  places: Place[];
}

export const GROUPS: readonly Group[] = [
  {
    label: 'Know',
    places: [
      { to: '/', label: 'Home', icon: IconGauge, needs: 'GET /v1/overview', letter: 'h' },
      { to: '/cards', label: 'Cards', icon: IconCards, needs: 'GET /v1/cards', letter: 'c' },
      { to: '/graph', label: 'Graph', icon: IconAffiliate, needs: 'GET /v1/graph', letter: 'g' },
      {
        to: '/recall',
        label: 'Recall lab',
        icon: IconReportSearch,
        needs: 'POST /v1/recall',
        letter: 'l',
      },
    ],
  },
  {
    label: 'Decide',
    places: [
      { to: '/inbox', label: 'Inbox', icon: IconInbox, needs: 'GET /v1/proposals', letter: 'i' },
      {
        to: '/insights',
        label: 'Insights',
        icon: IconBulb,
        needs: 'GET /v1/insights',
        letter: 'n',
      },
      { to: '/skills', label: 'Skills', icon: IconBook2, needs: 'GET /v1/skills', letter: 's' },
      { to: '/agents', label: 'Agents', icon: IconRobot, needs: 'GET /v1/agents', letter: 'a' },
    ],
  },
  {
    label: 'Account for',
    places: [
      { to: '/runs', label: 'Runs', icon: IconPlayerPlay, needs: 'GET /v1/runs', letter: 'r' },
      { to: '/audit', label: 'Audit', icon: IconRoute, needs: 'GET /v1/audit', letter: 'u' },
      {
        to: '/erasures',
        label: 'Erasures',
        icon: IconEraser,
        needs: 'GET /v1/erasures',
        letter: 'e',
      },
      {
        to: '/settings',
        label: 'Settings',
        icon: IconSettings,
        needs: 'GET /v1/workspace',
        letter: 't',
      },
    ],
  },
];
