// The screen says them before the call, the server after it; apart, so that no page loads all errors for two of them.

export const LAST_ADMIN_WORDS = 'Это последний администратор. Сначала назначьте ещё одного';
export const OWN_ACCOUNT_WORDS =
  'Со своей учётной записью так нельзя. Попросите другого администратора';
