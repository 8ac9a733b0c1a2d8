import { siteAddress } from '#app/ui/site.ts';

/** Where a pupil joins by a code. */
export const joinAddress = (code: string): string => `${siteAddress()}/join/${code}`;
