/** Parts of this page, and the route of the API without which a part has nothing to show. */
export const TABS = {
  workspace: { label: 'Workspace', needs: 'GET /v1/workspace' },
  policy: { label: 'Policy', needs: 'GET /v1/policy' },
  keys: { label: 'Keys', needs: 'GET /v1/keys' },
  people: { label: 'People', needs: 'GET /v1/people' },
  teams: { label: 'Teams', needs: 'GET /v1/teams' },
  subjects: { label: 'Subjects', needs: 'GET /v1/subjects' },
  projects: { label: 'Projects', needs: 'GET /v1/projects' },
  webhooks: { label: 'Webhooks', needs: 'GET /v1/webhooks' },
  models: { label: 'Models', needs: 'GET /v1/models' },
} as const;
export type TabName = keyof typeof TABS;
