import type { Urgency } from '../../contracts/insight';
import type { Policy } from '../../contracts/policy';
import type { BeforeAfter } from '../../contracts/policy-preview';
import { dollarsOf } from './money';
import { dollarPoints, scoreOf, timePoints } from './urgency';

/** How many of these insights each policy would have told to webhooks, by what their scores rest on. */
export function urgentEffects(
  urgencies: readonly Urgency[],
  before: Policy,
  after: Policy,
): BeforeAfter {
  const urgentBy = ({ insights }: Policy) =>
    urgencies.filter((one) => scoreUnder(one, insights) > insights.urgent_above).length;
  return { before: urgentBy(before), after: urgentBy(after) };
}

/** Where the amount is not known any more, or its currency not by this policy, its points stay as they were. */
function scoreUnder(
  { severity, dollars, velocity, basis }: Urgency,
  policy: Policy['insights'],
): number {
  const now = basis.dollars === null ? null : dollarsOf(basis.dollars, policy.rates);
  return scoreOf({
    severity,
    dollars: now === null ? dollars : dollarPoints(now),
    velocity,
    time_sensitivity: timePoints(basis.domain, policy.time_sensitivity),
  });
}
