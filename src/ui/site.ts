/** The address people type, without the scheme: «tests.school.ru». */
export const siteName = (): string => window.location.host;

export const siteAddress = (): string => window.location.origin;
