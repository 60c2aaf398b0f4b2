/** Parts of this page, and the route of the API without which a part has nothing to show. */
export const TABS = {
  erasures: { label: 'Erasures', needs: 'GET /v1/erasures' },
  ask: { label: 'Erase', needs: 'POST /v1/erasures' },
  holds: { label: 'Legal holds', needs: 'GET /v1/legal-holds' },
  proof: { label: 'Verify a receipt', needs: 'POST /v1/erasures/verify' },
  rescan: { label: 'Redact again', needs: 'POST /v1/runs/rescan' },
  transfer: { label: 'Export and import', needs: 'GET /v1/export' },
} as const;
export type TabName = keyof typeof TABS;
