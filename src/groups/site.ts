/** The address people type, without the scheme: «tests.school.ru». */
export const siteName = (): string => window.location.host;

export const siteAddress = (): string => window.location.origin;

/** Where a pupil joins by a code. */
export const joinAddress = (code: string): string => `${siteAddress()}/join/${code}`;
