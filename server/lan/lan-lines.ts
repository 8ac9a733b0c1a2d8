import type { LanAddress } from './addresses.ts';

/** The lines printed for the network: addresses, a QR code, the steps. */
export async function lanLines(
  addresses: readonly LanAddress[],
  port: number,
  trustPort: number,
): Promise<string[]> {
  const [first] = addresses;
  if (!first)
    return [
      'Сети не видно: у этого компьютера нет адреса, по которому его найдут телефоны. Подключите его к Wi-Fi и запустите ещё раз.',
    ];
  // Loaded only when phones are served.
  const { default: qrcode } = await import('qrcode');
  const trustUrl = `http://${first.address}:${trustPort}/`;
  return [
    'Для телефонов в той же сети:',
    ...addresses.map(({ device, address }) => `  https://${address}:${port}  (${device})`),
    '',
    await qrcode.toString(trustUrl, { type: 'terminal', small: true }),
    `Наведите камеру телефона или откройте ${trustUrl} — там сертификат и шаги для Android, iOS и Windows.`,
    'После этого телефон открывает адрес с https без предупреждений, и тесты работают без сети.',
  ];
}
