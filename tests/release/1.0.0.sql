-- Rows of every table as release 1.0.0 stored them. Nothing here changes after the release.

insert into server_state (epoch, seal_key, created_at)
values (3, decode(repeat('5a', 32), 'hex'), '2026-02-01 06:00Z');

-- Accounts and sign-ins. The tokens are «token-of-the-teacher», «token-of-the-student» and «token-of-the-admin--».

insert into users (id, email, user_name, role, password_hash, blocked_at, erased_at, created_at) values
  ('00000000-0000-4000-8000-00000000a001', 'teacher@school.test', 'О. В. Лаптева', 2, 'none', null, null, '2026-02-01 06:00Z'),
  ('00000000-0000-4000-8000-00000000a002', 'student@school.test', 'Алёшина Анна', 0, 'none', null, null, '2026-02-01 06:00Z'),
  ('00000000-0000-4000-8000-00000000a003', 'admin@school.test', 'Администратор', 1, 'none', null, null, '2026-02-01 06:00Z'),
  ('00000000-0000-4000-8000-00000000a004', 'colleague@school.test', 'П. И. Ёлкин', 2, 'none', '2026-02-20 06:00Z', null, '2026-02-01 06:00Z'),
  ('00000000-0000-4000-8000-00000000a005', 'erased@invalid', '', 0, 'none', null, '2026-02-21 06:00Z', '2026-02-01 06:00Z');

insert into sessions (token_hash, id, user_id, user_agent, confirmed_at, created_at, last_used_at, expires_at) values
  (sha256('token-of-the-teacher'), '00000000-0000-4000-8000-00000000b001', '00000000-0000-4000-8000-00000000a001', 'Mozilla/5.0', '2026-03-02 05:50Z', '2026-03-02 05:50Z', '2026-03-02 05:50Z', '2026-03-09 05:50Z'),
  (sha256('token-of-the-student'), '00000000-0000-4000-8000-00000000b002', '00000000-0000-4000-8000-00000000a002', null, null, '2026-03-02 05:50Z', '2026-03-02 05:50Z', '2026-03-09 05:50Z'),
  (sha256('token-of-the-admin--'), '00000000-0000-4000-8000-00000000b003', '00000000-0000-4000-8000-00000000a003', 'Mozilla/5.0', '2026-03-02 05:50Z', '2026-03-02 05:50Z', '2026-03-02 05:50Z', '2026-03-09 05:50Z');

insert into login_failures (key, account, drained_at)
values (sha256('address:10.0.0.7'), sha256('student@school.test'), '2026-03-02 06:10Z');

insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at, last_used_at)
values ('00000000-0000-4000-8000-00000000b011', '00000000-0000-4000-8000-00000000a003', 'Y3JlZGVudGlhbA', '\x0102', 4, '{internal,usb}', 'Ноутбук', '2026-02-02 06:00Z', null);

insert into totp_secrets (user_id, secret, last_step, created_at, last_used_at)
values ('00000000-0000-4000-8000-00000000a003', '\x3132333435363738393031323334353637383930', 59000000, '2026-02-02 06:00Z', '2026-03-01 06:00Z');

insert into recovery_codes (user_id, code_hash)
values ('00000000-0000-4000-8000-00000000a003', sha256('код'));

insert into factor_challenges (id_hash, user_id, purpose, session_hash, password_hash, origin_hash, webauthn_challenge, totp_secret, tries, created_at, expires_at) values
  (sha256('шаг'), '00000000-0000-4000-8000-00000000a003', 'confirmation', sha256('token-of-the-admin--'), null, null, 'Y2hhbGxlbmdl', null, 1, '2026-03-02 05:55Z', '2026-03-02 06:05Z'),
  (sha256('вход'), '00000000-0000-4000-8000-00000000a003', 'signIn', null, 'none', sha256('10.0.0.7'), null, null, 0, '2026-03-02 05:55Z', '2026-03-02 06:05Z');

insert into factor_failures (user_id, window_start, failures, total)
values ('00000000-0000-4000-8000-00000000a003', '2026-03-02 05:00Z', 2, 9);

insert into factor_requirements (role, required_at) values (1, '2026-02-02 06:00Z');

insert into audit_log (id, at, actor_id, act, subject_kind, subject_id, person_id, details, address, times, last_at, gathers) values
  ('00000000-0000-4000-8000-00000000b021', '2026-02-01 06:00Z', '00000000-0000-4000-8000-00000000a003', 'userCreated', 'user', '00000000-0000-4000-8000-00000000a002', '00000000-0000-4000-8000-00000000a002', '{"role": 0}', null, 1, null, null),
  ('00000000-0000-4000-8000-00000000b022', '2026-03-02 05:40Z', null, 'signInFailed', 'user', '00000000-0000-4000-8000-00000000a002', '00000000-0000-4000-8000-00000000a002', '{}', '10.0.0.7', 3, '2026-03-02 05:49Z', 'signInFailed/student');

insert into import_batches (id, actor_id, digest, reply, passwords, created_at)
values ('00000000-0000-4000-8000-00000000b031', '00000000-0000-4000-8000-00000000a003', sha256('строки'), '{"rows": []}', '\x00ff', '2026-02-03 06:00Z');

-- Classes

insert into groups (id, name, owner_id, join_code, created_at)
values ('00000000-0000-4000-8000-00000000c001', '10 «Б»', '00000000-0000-4000-8000-00000000a001', 'ABCD2345', '2026-02-03 06:00Z');

insert into group_members (group_id, user_id, via, added_by, added_by_admin, added_at)
values ('00000000-0000-4000-8000-00000000c001', '00000000-0000-4000-8000-00000000a002', 'generated', '00000000-0000-4000-8000-00000000a001', false, '2026-02-03 06:00Z');

insert into former_members (group_id, user_id, via, added_by_admin)
values ('00000000-0000-4000-8000-00000000c001', '00000000-0000-4000-8000-00000000a005', 'code', false);

-- A test of every kind of question

insert into tests (id, owner_id, lifecycle, version, fields_version, name, description, theme, topic, difficulty, language, attempts_count, start_time, end_time, pass_seconds, late_window_seconds, open_to_all, counted_attempt, visibility, results_shown_until, content_id, created_at, updated_at, updated_by) values
  ('00000000-0000-4000-8000-00000000d001', '00000000-0000-4000-8000-00000000a001', 'active', 4, 2, 'Контрольная', 'Глава 3', 'physics', 'Динамика', 'medium', 'ru', 2, '2026-03-01 06:00Z', '2026-03-09 06:00Z', 3600, 900, true, 'best', '{"ownAnswers": "atOnce", "points": "atOnce", "correctAnswers": "afterClose"}', null, null, '2026-02-03 06:00Z', '2026-03-01 06:00Z', '00000000-0000-4000-8000-00000000a001'),
  ('00000000-0000-4000-8000-00000000d002', '00000000-0000-4000-8000-00000000a004', 'draft', 1, 1, 'Черновик', '', '', '', '', '', 1, null, null, 36000, 0, false, 'average', '{"ownAnswers": "never", "points": "afterClose", "correctAnswers": "never"}', '2026-02-28 06:00Z', null, '2026-02-03 06:00Z', '2026-02-03 06:00Z', null);

insert into test_contents (id, test_id, questions, max_points, asked, corrected_to, drawn_from, drawn_number, draws_given, created_at) values
  ('00000000-0000-4000-8000-00000000d012', '00000000-0000-4000-8000-00000000d001', '[
    {"questionId": "00000000-0000-4000-8000-000000000001", "kind": "open", "input": "number", "text": "Ускорение $a$, м/с²?", "points": 2,
     "accepted": [{"text": "4,9", "share": 1, "feedback": "Верно"}, {"text": "5", "share": 0.5, "tolerance": 0.2}], "tolerance": 0.05,
     "explanation": "$F = ma$", "title": "Ускорение", "topic": "Динамика", "difficulty": "easy", "tags": ["сила"],
     "origin": {"kind": "bank", "entryId": "00000000-0000-4000-8000-000000000001", "seed": "а"}},
    {"questionId": "00000000-0000-4000-8000-000000000002", "kind": "variant", "multiple": true, "shuffle": true, "scoring": "allOrNothing",
     "text": "![Схема](file:00000000-0000-4000-8000-00000000f001)", "points": 1,
     "options": [{"optionId": "a", "text": "Сила", "isRight": true, "area": {"shape": "ellipse", "left": 0.1, "top": 0.2, "width": 0.3, "height": 0.4}},
       {"optionId": "b", "text": "Масса", "isRight": false, "feedback": "Скаляр"}]},
    {"questionId": "00000000-0000-4000-8000-000000000003", "kind": "compliance", "shuffle": true, "reuse": true, "text": "Соедините", "points": 3,
     "left": [{"leftId": "1", "text": "Сила"}, {"leftId": "2", "text": "Вес"}], "right": [{"rightId": "x", "text": "Н"}, {"rightId": "y", "text": "кг"}],
     "pairs": [{"leftId": "1", "rightId": "x"}, {"leftId": "2", "rightId": "x"}],
     "passage": {"passageId": "00000000-0000-4000-8000-0000000000aa", "text": "Общий текст", "transcript": "Слова", "transcriptShown": true}},
    {"questionId": "00000000-0000-4000-8000-000000000004", "kind": "ordering", "text": "По порядку", "points": 1, "credit": "everybody",
     "items": [{"itemId": "p", "text": "Один"}, {"itemId": "q", "text": "Два"}, {"itemId": "r", "text": "Три"}]},
    {"questionId": "00000000-0000-4000-8000-000000000005", "kind": "gaps", "text": "Вода кипит при [[1]] [[2]]", "points": 2,
     "gaps": [{"gapId": "1", "weight": 2, "input": "number", "accepted": [{"text": "100", "share": 1}], "tolerance": 0},
       {"gapId": "2", "weight": 1, "input": "choice", "options": [{"optionId": "c", "text": "°C", "isRight": true}, {"optionId": "k", "text": "K", "isRight": false}]}]},
    {"questionId": "00000000-0000-4000-8000-000000000006", "kind": "open", "input": "text", "text": "Объясните", "points": 5, "accepted": [], "tolerance": 0,
     "variantOf": "00000000-0000-4000-8000-000000000006", "transcript": "Слова", "transcriptShown": false},
    {"questionId": "00000000-0000-4000-8000-000000000007", "kind": "file", "text": "Решение", "points": 4, "maxBytes": 1000000, "accept": ["image/*", ".pdf"], "maxFiles": 2}
  ]', 18, 7, null, null, null, 1, '2026-02-10 06:00Z'),
  ('00000000-0000-4000-8000-00000000d011', '00000000-0000-4000-8000-00000000d001', '[
    {"questionId": "00000000-0000-4000-8000-000000000001", "kind": "open", "input": "number", "text": "Ускорение $a$, м/с²?", "points": 2,
     "accepted": [{"text": "5", "share": 1}], "tolerance": 0}
  ]', 2, 1, '00000000-0000-4000-8000-00000000d012', null, null, 0, '2026-02-04 06:00Z'),
  ('00000000-0000-4000-8000-00000000d013', '00000000-0000-4000-8000-00000000d001', '[]', 0, 0, null, '00000000-0000-4000-8000-00000000d012', 1, 0, '2026-02-10 06:00Z');

update tests set content_id = '00000000-0000-4000-8000-00000000d012' where id = '00000000-0000-4000-8000-00000000d001';

insert into test_drafts (test_id, version, questions, updated_at, updated_by)
select test_id, 7, questions, '2026-03-01 06:00Z', '00000000-0000-4000-8000-00000000a001' from test_contents where max_points = 18;

insert into test_generations (test_id, generation, updated_at)
values ('00000000-0000-4000-8000-00000000d001', '{"seed": "осень", "criteria": {"theme": "physics", "topics": [], "tags": ["сила"], "kinds": ["open"]}, "mix": {"easy": 1, "medium": 0, "hard": 0, "any": 2}, "templates": [{"templateId": "00000000-0000-4000-8000-00000000f031", "count": 2, "perStudent": true}]}', '2026-02-10 06:00Z');

insert into assignments (id, test_id, user_id, group_id, created_at) values
  ('00000000-0000-4000-8000-00000000d021', '00000000-0000-4000-8000-00000000d001', '00000000-0000-4000-8000-00000000a002', null, '2026-02-10 06:00Z'),
  ('00000000-0000-4000-8000-00000000d022', '00000000-0000-4000-8000-00000000d001', null, '00000000-0000-4000-8000-00000000c001', '2026-02-10 06:00Z');

insert into personal_terms (test_id, user_id, extra_seconds, attempts_count, start_time, end_time)
values ('00000000-0000-4000-8000-00000000d001', '00000000-0000-4000-8000-00000000a002', 600, 3, '2026-03-01 06:00Z', '2026-03-10 06:00Z');

insert into time_grants (key, test_id, actor_id, at, minutes, reply)
values ('00000000-0000-4000-8000-00000000d031', '00000000-0000-4000-8000-00000000d001', '00000000-0000-4000-8000-00000000a001', '2026-03-01 07:00Z', 5, '{"attempts": 1}');

insert into test_shares (test_id, user_id, level, created_at)
values ('00000000-0000-4000-8000-00000000d001', '00000000-0000-4000-8000-00000000a004', 'grade', '2026-02-11 06:00Z');
insert into group_shares (group_id, user_id, level, created_at)
values ('00000000-0000-4000-8000-00000000c001', '00000000-0000-4000-8000-00000000a004', 'edit', '2026-02-11 06:00Z');
insert into bank_shares (owner_id, user_id, level, created_at)
values ('00000000-0000-4000-8000-00000000a001', '00000000-0000-4000-8000-00000000a004', 'results', '2026-02-11 06:00Z');

-- An attempt that runs, one that ended with late answers and grades, and a trial

insert into attempts (id, test_id, user_id, content_id, number, trial, started_at, deadline, late_window_seconds, ended, ended_at, finish_operation, default_stream, active_stream, active_epoch, deleted_at, recovered_at, points, points_without_late, graded_max) values
  ('00000000-0000-4000-8000-00000000e001', '00000000-0000-4000-8000-00000000d001', '00000000-0000-4000-8000-00000000a002', '00000000-0000-4000-8000-00000000d012', 2, false, '2026-03-02 05:51Z', '2026-03-02 07:01Z', 900, null, null, null, '00000000-0000-4000-8000-00000000e101', '00000000-0000-4000-8000-00000000e102', 2, null, null, null, null, null),
  ('00000000-0000-4000-8000-00000000e002', '00000000-0000-4000-8000-00000000d001', '00000000-0000-4000-8000-00000000a002', '00000000-0000-4000-8000-00000000d012', 1, false, '2026-03-01 06:00Z', '2026-03-01 07:10Z', 900, 'finished', '2026-03-01 07:05Z', '00000000-0000-4000-8000-00000000e204', '00000000-0000-4000-8000-00000000e103', '00000000-0000-4000-8000-00000000e103', 1, null, '2026-03-01 08:00Z', 4.5, 1, 18),
  ('00000000-0000-4000-8000-00000000e003', '00000000-0000-4000-8000-00000000d001', '00000000-0000-4000-8000-00000000a004', '00000000-0000-4000-8000-00000000d011', 1, true, '2026-02-12 06:00Z', '2026-02-12 07:00Z', 0, 'closed', '2026-02-12 07:00Z', null, '00000000-0000-4000-8000-00000000e104', '00000000-0000-4000-8000-00000000e104', 1, '2026-02-13 06:00Z', null, 0, 0, 2);

insert into streams (attempt_id, id, epoch, created_at, last_heard_at, head, head_at, head_since) values
  ('00000000-0000-4000-8000-00000000e001', '00000000-0000-4000-8000-00000000e101', 1, '2026-03-02 05:51Z', '2026-03-02 05:52Z', 0, null, null),
  ('00000000-0000-4000-8000-00000000e001', '00000000-0000-4000-8000-00000000e102', 2, '2026-03-02 05:52Z', '2026-03-02 05:55Z', 2, '2026-03-02 05:55Z', '2026-03-02 05:54Z'),
  ('00000000-0000-4000-8000-00000000e002', '00000000-0000-4000-8000-00000000e103', 1, '2026-03-01 06:00Z', '2026-03-01 07:05Z', 4, '2026-03-01 07:05Z', '2026-03-01 07:05Z');

insert into start_keys (user_id, key, fingerprint, reply, created_at)
values ('00000000-0000-4000-8000-00000000a002', '00000000-0000-4000-8000-00000000e301', 'fingerprint', '{"attemptId": "00000000-0000-4000-8000-00000000e001", "stream": "00000000-0000-4000-8000-00000000e101", "epoch": 1}', '2026-03-02 05:51Z');

insert into operations (attempt_id, id, stream, epoch, sequence, rank, kind, question_id, body, body_digest, outcome, refusal, received_late, after_result, written_at, age_ms, seen_server_at, received_at, decision, decided_by, decided_at) values
  ('00000000-0000-4000-8000-00000000e001', '00000000-0000-4000-8000-00000000e201', '00000000-0000-4000-8000-00000000e102', 2, 1, 1, 'answer', '00000000-0000-4000-8000-000000000002', '{"questionId": "00000000-0000-4000-8000-000000000002", "kind": "variant", "optionIds": ["a"]}', sha256('1'), 'stored', null, false, false, '2026-03-02 05:54Z', 100, '2026-03-02 05:53Z', '2026-03-02 05:54Z', null, null, null),
  ('00000000-0000-4000-8000-00000000e002', '00000000-0000-4000-8000-00000000e202', '00000000-0000-4000-8000-00000000e103', 1, 1, 1, 'answer', '00000000-0000-4000-8000-000000000006', '{"questionId": "00000000-0000-4000-8000-000000000006", "kind": "open", "text": "Потому что"}', sha256('2'), 'stored', null, true, false, '2026-03-01 06:10Z', 5000, '2026-03-01 06:09Z', '2026-03-01 06:10Z', null, null, null),
  ('00000000-0000-4000-8000-00000000e002', '00000000-0000-4000-8000-00000000e203', '00000000-0000-4000-8000-00000000e103', 1, 2, 2, 'answer', '00000000-0000-4000-8000-000000000007', '{"questionId": "00000000-0000-4000-8000-000000000007", "kind": "file", "fileId": "00000000-0000-4000-8000-00000000e401", "name": "решение.pdf", "size": 5, "mimeType": "application/pdf", "sha256": "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"}', sha256('3'), 'held', null, true, true, null, null, null, '2026-03-01 07:20Z', 'refused', '00000000-0000-4000-8000-00000000a001', '2026-03-01 09:00Z'),
  ('00000000-0000-4000-8000-00000000e002', '00000000-0000-4000-8000-00000000e204', '00000000-0000-4000-8000-00000000e103', 1, 4, 4, 'finish', null, null, sha256('4'), 'stored', null, false, false, '2026-03-01 07:05Z', 0, '2026-03-01 07:04Z', '2026-03-01 07:05Z', null, null, null),
  ('00000000-0000-4000-8000-00000000e002', '00000000-0000-4000-8000-00000000e205', '00000000-0000-4000-8000-00000000e103', 1, null, 4, 'answer', '00000000-0000-4000-8000-000000000001', '{"questionId": "00000000-0000-4000-8000-000000000001", "kind": "open", "text": "4,9"}', sha256('5'), 'refused', 'ATTEMPT_OVER', false, false, null, null, null, '2026-03-01 07:30Z', null, null, null);

insert into spare_sequences (attempt_id, stream, sequence, operation_id, reason)
values ('00000000-0000-4000-8000-00000000e002', '00000000-0000-4000-8000-00000000e103', 3, '00000000-0000-4000-8000-00000000e203', 'renumbered');

insert into answers (attempt_id, question_id, operation_id, epoch, sequence, rank, ordinal, body, received_late, received_at)
select attempt_id, question_id, id, epoch, sequence, rank, ordinal, body, received_late, received_at from operations where outcome = 'stored' and kind = 'answer';

insert into stray_operations (user_id, attempt_id, id, headers, body, received_at)
values ('00000000-0000-4000-8000-00000000a002', '00000000-0000-4000-8000-00000000e999', '00000000-0000-4000-8000-00000000e206', '{"x-operation-sequence": "1"}', '{"questionId": "00000000-0000-4000-8000-000000000001", "kind": "open", "text": "5"}', '2026-03-01 06:10Z');

insert into uploads (id, attempt_id, question_id, name, mime_type, size, sha256, received, completed_at, set_aside, created_at, updated_at)
values ('00000000-0000-4000-8000-00000000e401', '00000000-0000-4000-8000-00000000e002', '00000000-0000-4000-8000-000000000007', 'решение.pdf', 'application/pdf', 5, '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824', 5, '2026-03-01 07:20Z', false, '2026-03-01 07:19Z', '2026-03-01 07:20Z');

insert into grades (attempt_id, question_id, operation_id, points, comment, graded_by, graded_at)
values ('00000000-0000-4000-8000-00000000e002', '00000000-0000-4000-8000-000000000006', '00000000-0000-4000-8000-00000000e202', 3.5, 'Коротко', '00000000-0000-4000-8000-00000000a001', '2026-03-01 10:00Z');

insert into grade_changes (attempt_id, question_id, operation_id, at, actor_id, old_points, new_points, comment, reason)
values ('00000000-0000-4000-8000-00000000e002', '00000000-0000-4000-8000-000000000006', '00000000-0000-4000-8000-00000000e202', '2026-03-01 10:00Z', '00000000-0000-4000-8000-00000000a001', null, 3.5, 'Коротко', '');

insert into score_changes (attempt_id, at, reason, actor_id, old_points, new_points)
values ('00000000-0000-4000-8000-00000000e002', '2026-03-01 10:00Z', 'grade', '00000000-0000-4000-8000-00000000a001', 1, 4.5);

insert into key_corrections (id, test_id, question_id, at, actor_id, reason, old_question, new_question, rescored, changed)
select '00000000-0000-4000-8000-00000000d041', old.test_id, '00000000-0000-4000-8000-000000000001', '2026-02-10 06:00Z', '00000000-0000-4000-8000-00000000a001', 'Ключ был неверен', old.questions -> 0, fresh.questions -> 0, 1, 1
from test_contents old join test_contents fresh on fresh.id = old.corrected_to;

-- Pictures, the bank, templates

insert into pictures (key, test_id, owner_id, mime_type, bytes, digest, unnamed_since, created_at) values
  ('00000000-0000-4000-8000-00000000f001', '00000000-0000-4000-8000-00000000d001', '00000000-0000-4000-8000-00000000a001', 'image/png', '\x89504e47', sha256('\x89504e47'), null, '2026-02-03 06:00Z'),
  ('00000000-0000-4000-8000-00000000f002', null, null, 'audio/mpeg', '\x494433', null, '2026-02-28 06:00Z', '2026-02-03 06:00Z');
insert into picture_uses (key, test_id) values ('00000000-0000-4000-8000-00000000f001', '00000000-0000-4000-8000-00000000d001');
insert into picture_holders (key, user_id) values ('00000000-0000-4000-8000-00000000f001', '00000000-0000-4000-8000-00000000a004');

insert into bank_entries (owner_id, entry_id, question, theme, topic, difficulty, kind, tags, words, digest, updated_at, removed_at)
select '00000000-0000-4000-8000-00000000a001', (q.question ->> 'questionId')::uuid, q.question, 'physics', 'Динамика', 'easy', q.question ->> 'kind', '{сила}', 'ускорение', 'digest', '2026-02-10 06:00Z',
  case when q.question ->> 'kind' = 'file' then '2026-02-20 06:00Z'::timestamptz end
from test_drafts, jsonb_array_elements(questions) as q (question);

insert into bank_uses (test_id, question_id, owner_id, entry_id, is_current, digest, attempts, share_sum)
select '00000000-0000-4000-8000-00000000d001', entry_id, owner_id, entry_id, true, digest, 1, 0.5 from bank_entries;

insert into bank_figures (test_id, fingerprint) values ('00000000-0000-4000-8000-00000000d001', '1/4.5');

insert into question_templates (owner_id, id, version, body, created_at, updated_at)
values ('00000000-0000-4000-8000-00000000a001', '00000000-0000-4000-8000-00000000f031', 2, '{"title": "Скорость", "theme": "physics", "topic": "", "difficulty": "easy", "tags": [], "points": 1, "text": "Тело прошло [a] м за 2 с", "explanation": "", "variables": [{"kind": "range", "name": "a", "from": 2, "to": 20, "step": 2}], "condition": "", "decimals": 1, "key": {"kind": "open", "answer": "a / 2", "tolerance": 0}}', '2026-02-10 06:00Z', '2026-02-10 06:00Z');

-- Files and projects

insert into blobs (sha256, size, created_at, unnamed_since) values
  (sha256('hello'), 5, '2026-03-01 07:20Z', null),
  (sha256('logo'), 4, '2026-02-10 06:00Z', null);

insert into projects (id, owner_id, name, short_description, description, landing_url, hidden_at, views, rating_sum, rating_count, created_at, updated_at)
values ('00000000-0000-4000-8000-00000000f041', '00000000-0000-4000-8000-00000000a002', 'Робот', 'Коротко', 'Подробно', 'https://example.test/', null, 1, 4, 1, '2026-02-10 06:00Z', '2026-02-10 06:00Z');
insert into project_files (key, project_id, role, sha256, name, mime_type, size, created_at)
values ('00000000-0000-4000-8000-00000000f042', '00000000-0000-4000-8000-00000000f041', 'logo', sha256('logo'), 'logo.png', 'image/png', 4, '2026-02-10 06:00Z');
insert into project_views (project_id, user_id, day)
values ('00000000-0000-4000-8000-00000000f041', '00000000-0000-4000-8000-00000000a001', '2026-02-11');
insert into project_ratings (project_id, user_id, stars, updated_at)
values ('00000000-0000-4000-8000-00000000f041', '00000000-0000-4000-8000-00000000a001', 4, '2026-02-11 06:00Z');
