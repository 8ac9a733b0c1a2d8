/** Names in a `User-Agent`; the first match applies. */
type Marks = readonly (readonly [RegExp, string])[];

// Nearly every browser also claims to be Chrome and Safari: those come last.
const BROWSERS: Marks = [
  [/YaBrowser\//, 'Яндекс Браузер'],
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOP(?:R|T|X|iOS)\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/MiuiBrowser\//, 'Mi Browser'],
  [/HuaweiBrowser\//, 'Huawei Browser'],
  [/Vivaldi\//, 'Vivaldi'],
  [/\bFxiOS\/|Firefox\//, 'Firefox'],
  [/\bCriOS\/|Chrome\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: Marks = [
  [/\b(?:iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/Android/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];

const named = (userAgent: string, marks: Marks) =>
  marks.find(([mark]) => mark.test(userAgent))?.[1];

/** Browser and system of a sign-in, such as «Chrome, Android»; null: neither is known. */
export function formatDevice(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const words = [named(userAgent, BROWSERS), named(userAgent, SYSTEMS)];
  return words.filter((word) => word !== undefined).join(', ') || null;
}
