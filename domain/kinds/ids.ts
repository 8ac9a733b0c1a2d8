export const isDoubled = (ids: readonly string[]): boolean => new Set(ids).size < ids.length;
