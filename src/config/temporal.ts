import { type ClientConnectConfig, loadClientConnectConfig } from '@temporalio/envconfig';
import type { Options } from './options';

/**
 * How a Temporal server that somebody runs is reached: address, namespace, key and TLS, by Temporal's own
 * variables or a profile of its configuration file.
 */
export function namedTemporal(options: Options): {
  connectionOptions: ClientConnectConfig['connectionOptions'];
  namespace: string;
} {
  const { connectionOptions, namespace } = loadClientConnectConfig();
  const { temporalAddress: address, temporalNamespace } = options;
  return {
    connectionOptions: { ...connectionOptions, ...(address === null ? {} : { address }) },
    namespace: namespace ?? temporalNamespace,
  };
}
