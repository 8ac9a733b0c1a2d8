import { useState } from 'react';
import { useSession } from '#app/session/session-context.ts';

/** Who works on the page. A sign-in that ends leaves it as it is until the way to the sign-in screen is gone. */
export function useViewerId(): string | undefined {
  const current = useSession()?.user.userId;
  const [viewerId, setViewerId] = useState(current);
  if (current !== undefined && current !== viewerId) setViewerId(current);
  return current ?? viewerId;
}
