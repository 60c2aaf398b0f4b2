import { workflowInfo } from '@temporalio/workflow';

/**
 * For passes that last as long as an outage: with worker versioning they move on with the deploy, so that
 * an old version can be drained. A worker without versioning may not say so: the server refuses its tasks.
 */
export function movesOn(): { versioningBehavior?: 'AUTO_UPGRADE' } {
  // A worker without versioning has a build id all the same, and no deployment.
  const deployment = workflowInfo().currentDeploymentVersion?.deploymentName ?? '';
  return deployment === '' ? {} : { versioningBehavior: 'AUTO_UPGRADE' };
}
