-- When the code of an offer was shown first, and when another took its place: begins from between may come later. Null
-- while the code is the present one; of codes that were replaced before this step nothing is known.
alter table offers
  add column code_shown_at timestamptz,
  add column code_replaced_at timestamptz;
