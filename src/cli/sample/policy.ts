import type { CairnClient } from '../../client/client';
import { CairnError } from '../../client/error';
import type { WriteRoute } from '../../contracts/names';
import type { PolicyMatch } from '../../contracts/policy';

/** What an agent jots down between two steps is not worth a card. */
export const SAMPLE_RULE: { match: PolicyMatch; route: WriteRoute } = {
  match: { service: 'scratch' },
  route: 'transient',
};

/**
 * Adds the sample's rule to the policy, once, and leaves every other rule as it is.
 *
 * @returns whether it was added by this call
 */
export async function ensureSampleRule(client: Pick<CairnClient, 'policy'>): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const { version, capture } = await client.policy.get();
    const rules = capture.write_rules;
    const isThere = rules.some(
      ({ match, route }) =>
        route === SAMPLE_RULE.route &&
        match.service === SAMPLE_RULE.match.service &&
        Object.keys(match).length === 1,
    );
    if (isThere) return false;
    try {
      await client.policy.put(version, { capture: { write_rules: [...rules, SAMPLE_RULE] } });
      return true;
    } catch (error) {
      // Somebody changed it in between: look again, and add to what is there now.
      const moved = error instanceof CairnError && error.status === 412;
      if (!moved || attempt === 3) throw error;
    }
  }
}
