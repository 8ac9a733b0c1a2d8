import { useState } from 'react';
import { useSession } from '#app/lib/session/session-context.ts';

/** Id of the viewer. After the session ends it stays until the redirect to the sign-in screen. */
export function useViewerId(): string | undefined {
  const current = useSession()?.user.userId;
  const [viewerId, setViewerId] = useState(current);
  if (current !== undefined && current !== viewerId) setViewerId(current);
  return current ?? viewerId;
}
