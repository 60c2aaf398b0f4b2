import type { ErrorComponentProps } from '@tanstack/react-router';
import { Failed } from '../components/failed';

/** In place of a page that could not be shown at all; the navigation stays. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  return <Failed error={error} again={reset} />;
}
