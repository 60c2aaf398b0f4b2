/** What is public about the services: names, the thing a call is about, and how a goal is said. */
export interface Named {
  service: string;
  operation: string;
  /** The input that names the thing. */
  subject: string;
  /** `{thing}` and `{total}` are filled in. */
  goal: string;
  /** Words that tell the operation apart from its sisters, singular. */
  noun: string;
}

function of(service: string, ...rows: readonly [string, string, string, string][]): Named[] {
  return rows.map(([operation, subject, noun, goal]) => ({
    service,
    operation,
    subject,
    noun,
    goal,
  }));
}

/** Eight services with three operations each; every operation's name is its own in the whole list. */
export const CATALOGUE: readonly Named[] = [
  ...of(
    'mailer',
    ['send_newsletter', 'issue', 'newsletter', 'send newsletter {thing} to {total} customers'],
    ['import_contacts', 'list', 'contact', 'import {total} contacts into list {thing}'],
    ['archive_campaign', 'campaign', 'campaign', 'archive campaign {thing} with {total} messages'],
  ),
  ...of(
    'billing',
    ['create_invoice', 'order', 'invoice', 'create invoices for {total} items of order {thing}'],
    ['refund_order', 'order', 'order', 'refund {total} lines of order {thing}'],
    ['export_ledger', 'ledger', 'ledger', 'export {total} entries of ledger {thing}'],
  ),
  ...of(
    'crm',
    ['update_lead', 'lead', 'lead', 'update {total} records of lead {thing}'],
    ['merge_accounts', 'group', 'account', 'merge {total} accounts of group {thing}'],
    ['sync_deals', 'pipeline', 'deal', 'sync {total} deals of pipeline {thing}'],
  ),
  ...of(
    'warehouse',
    ['reserve_stock', 'article', 'stock', 'reserve {total} pieces of article {thing}'],
    ['ship_parcel', 'parcel', 'parcel', 'ship parcel {thing} with {total} pieces'],
    ['label_pallet', 'pallet', 'pallet', 'label {total} boxes of pallet {thing}'],
  ),
  ...of(
    'calendar',
    ['book_room', 'room', 'room', 'book room {thing} for {total} people'],
    ['move_meeting', 'meeting', 'meeting', 'move meeting {thing} with {total} guests'],
    ['publish_roster', 'roster', 'roster', 'publish roster {thing} with {total} shifts'],
  ),
  ...of(
    'storage',
    ['upload_archive', 'archive', 'archive', 'upload {total} files of archive {thing}'],
    ['rotate_backup', 'backup', 'backup', 'rotate {total} copies of backup {thing}'],
    ['share_folder', 'folder', 'folder', 'share {total} files of folder {thing}'],
  ),
  ...of(
    'staffing',
    ['approve_timesheet', 'timesheet', 'timesheet', 'approve {total} rows of timesheet {thing}'],
    ['assign_shift', 'shift', 'shift', 'assign {total} people to shift {thing}'],
    ['close_contract', 'contract', 'contract', 'close contract {thing} with {total} positions'],
  ),
  ...of(
    'deploys',
    ['release_build', 'build', 'build', 'release build {thing} to {total} hosts'],
    ['scale_cluster', 'cluster', 'cluster', 'scale cluster {thing} to {total} nodes'],
    ['restore_snapshot', 'snapshot', 'snapshot', 'restore {total} tables of snapshot {thing}'],
  ),
];

/** Optional inputs that a service may come to insist on, with the values that its reference lists. */
export const FIELDS: Readonly<Record<string, readonly string[]>> = {
  consent_basis: ['optin', 'agreement', 'legal'],
  cost_center: ['north', 'south', 'central'],
  region: ['frankfurt', 'dublin', 'oslo'],
  sender_profile: ['brand', 'support', 'finance'],
  priority_reason: ['outage', 'contractual', 'seasonal'],
};

export const MODES = ['standard', 'bulk', 'audited', 'express'] as const;
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const;
export const PARTS = ['morning', 'midday', 'afternoon', 'evening'] as const;
