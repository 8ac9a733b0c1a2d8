/** The product's logo: a tick on squared paper. Decorative, beside the product's name. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 38 38" aria-hidden>
      <rect width={38} height={38} rx={9} fill="var(--app-primary)" />
      <path
        d="M12.75 0v38M25.25 0v38M0 12.75h38M0 25.25h38"
        stroke="var(--app-on-primary)"
        strokeOpacity={0.28}
      />
      <path
        d="m8.8 20.2 6.6 6.6L29.4 11.4"
        fill="none"
        stroke="var(--app-on-primary)"
        strokeWidth={3.8}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
