import {
  IconAlertTriangle,
  IconChecklist,
  IconClockHour4,
  IconEraser,
  IconPlayerStop,
  IconWebhook,
} from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { Overview } from '../../../../src/contracts/overview';
import { ButtonLink } from '../../components/links';
import { When } from '../../components/when';
import { Matter } from './matter';
import type { Waiting } from './use-waiting';
import { spanInWords } from './words';

/** A capture takes seconds; one that waits longer has something in its way. */
const LATE_MS = 10 * 60_000;

/** What is held back, lost, late or stopped, the most pressing first. */
export function toMend(overview: Overview, waiting: Waiting, days: string): ReactElement[] {
  const { captures, backlog, erasures, agents } = overview;
  const { totals } = captures;
  const since = captures.series[0]?.at;
  const late =
    backlog.oldest_pending_at !== null &&
    Date.parse(overview.at) - Date.parse(backlog.oldest_pending_at) > LATE_MS;
  const all = [
    waiting.held > 0 && (
      <Matter
        key="held"
        icon={IconAlertTriangle}
        color="orange"
        count={waiting.held}
        title={waiting.held === 1 ? 'card held back' : 'cards held back'}
        says="Quarantined: nobody is told of it until a person releases or rejects it."
        act={
          <ButtonLink to="/cards" search={{ status: 'quarantined' }}>
            Release or reject
          </ButtonLink>
        }
      />
    ),
    (totals.failed ?? 0) > 0 && (
      <Matter
        key="failed"
        icon={IconAlertTriangle}
        color="red"
        count={totals.failed ?? 0}
        title={
          totals.failed === 1
            ? `capture failed ${spanInWords(days)}`
            : `captures failed ${spanInWords(days)}`
        }
        says="Reported, and no card was made of it."
        act={
          <ButtonLink to="/captures" search={{ disposition: 'failed', since }}>
            See why
          </ButtonLink>
        }
      />
    ),
    late && (
      <Matter
        key="late"
        icon={IconClockHour4}
        color="red"
        count={backlog.pending}
        title={backlog.pending === 1 ? 'capture waits' : 'captures wait'}
        says={
          <>
            the oldest since <When at={backlog.oldest_pending_at} />
          </>
        }
        act={
          <ButtonLink to="/captures" search={{ disposition: 'pending' }}>
            Follow them
          </ButtonLink>
        }
      />
    ),
    waiting.lost > 0 && (
      <Matter
        key="lost"
        icon={IconWebhook}
        color="red"
        count={waiting.lost}
        title={waiting.lost === 1 ? 'delivery lost' : 'deliveries lost'}
        says="A webhook took none of its tries."
        act={
          <ButtonLink to="/settings" search={{ tab: 'webhooks' }}>
            Send again
          </ButtonLink>
        }
      />
    ),
    erasures.open > 0 && (
      <Matter
        key="erasures"
        icon={IconEraser}
        color="grape"
        count={erasures.open}
        title={erasures.open === 1 ? 'erasure not completed' : 'erasures not completed'}
        says="Asked for, and not yet proven."
        act={<ButtonLink to="/erasures">Follow it</ButtonLink>}
      />
    ),
    backlog.needs_distill > 0 && (
      <Matter
        key="distill"
        icon={IconChecklist}
        color="gray"
        count={backlog.needs_distill}
        title={backlog.needs_distill === 1 ? 'card waits to be worded' : 'cards wait to be worded'}
        says="The stand-in wrote them; a model words them anew once one answers."
        act={
          <>
            <ButtonLink to="/settings" search={{ tab: 'models' }}>
              Look at the models
            </ButtonLink>
            <ButtonLink to="/runs" search={{ type: 'redistill' }}>
              See the runs
            </ButtonLink>
          </>
        }
      />
    ),
    agents.writes_stopped > 0 && (
      <Matter
        key="stopped"
        icon={IconPlayerStop}
        color="gray"
        count={agents.writes_stopped}
        title={agents.writes_stopped === 1 ? 'agent may not write' : 'agents may not write'}
        says="A person stopped it."
        act={<ButtonLink to="/agents">See who</ButtonLink>}
      />
    ),
  ];
  return all.filter((one) => one !== false);
}
