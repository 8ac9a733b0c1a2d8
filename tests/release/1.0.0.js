// Built by scripts/release-client.mjs from 2cb5390ce16ced997e998e95371f77bdd6de865b.
import { createFetch } from "ofetch";
import * as v from "valibot";
import { unwrap, wrap } from "idb";
// \0rolldown/runtime.js
var __defProp = Object.defineProperty;
var __esmMin = (fn, res, err) => () => {
	if (err) throw err[0];
	try {
		return fn && (res = fn(fn = 0)), res;
	} catch (e) {
		throw err = [e], e;
	}
};
var __exportAll = (all, no_symbols) => {
	let target = {};
	for (var name in all) __defProp(target, name, {
		get: all[name],
		enumerable: true
	});
	if (!no_symbols) __defProp(target, Symbol.toStringTag, { value: "Module" });
	return target;
};
// ../../tmp/exam-room-release-2nlq5S/contract/limits.ts
var ANSWER_TEXT_CHARACTERS, TYPED_NAME_CHARACTERS, FILE_BYTES, FILE_CHUNK_BYTES, GAP_LIST_NUMBERS, HTTP_TIMEOUT_MS, RESCUE_FORMAT;
var init_limits = __esmMin((() => {
	ANSWER_TEXT_CHARACTERS = 2e4;
	TYPED_NAME_CHARACTERS = 1e3;
	FILE_BYTES = 10485760;
	FILE_CHUNK_BYTES = 262144;
	GAP_LIST_NUMBERS = 5e3;
	HTTP_TIMEOUT_MS = 5e3;
	RESCUE_FORMAT = "exam-room-answers";
}));
// ../../tmp/exam-room-release-2nlq5S/contract/errors.ts
init_limits();
/** The one error shape. `message` is Russian and says what to do; `details` depends on the code. */
var ErrorBody = v.object({
	code: v.string(),
	message: v.string(),
	details: v.optional(v.unknown()),
	requestId: v.string()
});
/** One invalid field: where, and what to do. */
var FieldProblem = v.object({
	field: v.string(),
	message: v.string()
});
v.object({ fields: v.array(FieldProblem) });
var IncompleteDetails = v.object({
	missing: v.array(v.number()),
	files: v.array(v.string())
});
var DeadlineMovedDetails = v.object({ deadline: v.string() });
var RunningElsewhereDetails = v.object({
	userTestId: v.string(),
	lastHeardAt: v.nullable(v.string())
});
var ChunkDetails = v.object({ received: v.number() });
v.object({
	version: v.number(),
	updatedAt: v.string(),
	updatedBy: v.nullable(v.string())
});
v.object({ problems: v.array(v.object({
	questionId: v.nullable(v.string()),
	message: v.string()
})) });
var Id, withoutUnseen, PILED_MARKS, nameOf$1, PartId, GapId, IsoTime, Duration, Points, TotalPoints, AttemptState, WholeNumber, MOST, PositiveInteger, NonNegativeInteger, HIGHEST_SEQUENCE, Sequence$1, SequenceHead, TEN_YEARS_MS, ElapsedMs;
var init_primitives = __esmMin((() => {
	Id = v.pipe(v.string(), v.maxLength(36, "Неверный идентификатор"), v.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, "Неверный идентификатор"), v.transform((id) => id.toLowerCase()));
	withoutUnseen = (text) => text.normalize("NFC").replaceAll(/\p{Cf}/gu, "").replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
	PILED_MARKS = new RegExp(String.raw`\p{M}{${5}}`, "u");
	nameOf$1 = /* @__NO_SIDE_EFFECTS__ */ ({ missing, most, tooLong }) => v.pipe(v.string(missing), v.maxLength(TYPED_NAME_CHARACTERS, tooLong), v.transform(withoutUnseen), v.nonEmpty(missing), v.maxLength(most, tooLong), v.check((name) => !PILED_MARKS.test(name), "Слишком много знаков над одной буквой. Уберите лишние"));
	PartId = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
	GapId = v.pipe(v.string(), v.maxLength(3), v.regex(/^[1-9]\d{0,2}$/));
	IsoTime = v.pipe(v.string(), v.maxLength(40, "Неверная дата"), v.isoTimestamp("Неверная дата"), v.check((text) => !Number.isNaN(Date.parse(text)), "Неверная дата"));
	Duration = v.pipe(v.string(), v.maxLength(10, "Длительность записывается как ЧЧ:ММ:СС"), v.regex(/^\d{2,4}:[0-5]\d:[0-5]\d$/, "Длительность записывается как ЧЧ:ММ:СС"));
	Points = v.pipe(v.number(), v.minValue(0, "Баллы не бывают отрицательными"), v.maxValue(1e4, "Слишком много баллов"));
	TotalPoints = v.pipe(v.number(), v.minValue(0));
	AttemptState = v.fallback(v.picklist([
		0,
		1,
		2
	]), 0);
	WholeNumber = v.pipe(v.union([v.number(), v.pipe(v.string(), v.maxLength(15), v.regex(/^\d{1,15}$/), v.transform(Number))]), v.integer());
	MOST = 2147483647;
	PositiveInteger = v.pipe(WholeNumber, v.minValue(1), v.maxValue(MOST));
	NonNegativeInteger = v.pipe(WholeNumber, v.minValue(0), v.maxValue(MOST));
	HIGHEST_SEQUENCE = 1e6;
	Sequence$1 = v.pipe(PositiveInteger, v.maxValue(HIGHEST_SEQUENCE));
	SequenceHead = v.pipe(NonNegativeInteger, v.maxValue(HIGHEST_SEQUENCE));
	TEN_YEARS_MS = 315576e6;
	ElapsedMs = v.pipe(WholeNumber, v.minValue(0), v.transform((ms) => Math.min(ms, TEN_YEARS_MS)));
}));
// ../../tmp/exam-room-release-2nlq5S/contract/headers.ts
/** Writes sequences the way `SequenceList` reads them; runs are folded: `1,3-5`. */
function formatSequences(sequences) {
	const sorted = [...new Set(sequences)].sort((a, b) => a - b);
	const runs = [];
	for (const n of sorted) {
		const last = runs.at(-1);
		if (last && last[1] === n - 1) last[1] = n;
		else runs.push([n, n]);
	}
	return runs.map(([from, to]) => from === to ? `${from}` : `${from}-${to}`).join(",");
}
var HEADER, Age, SequenceList, IdList, StartHeaders, OperationHeaders, FinishHeaders, AttemptHeaders;
var init_headers = __esmMin((() => {
	init_limits();
	init_primitives();
	HEADER = {
		idempotencyKey: "idempotency-key",
		stream: "x-operation-stream",
		epoch: "x-operation-epoch",
		sequence: "x-operation-sequence",
		age: "x-operation-age",
		head: "x-operation-head",
		seenServerTime: "x-seen-server-time",
		setAside: "x-operations-set-aside",
		folded: "x-operations-folded",
		filesSetAside: "x-files-set-aside",
		finishReason: "x-finish-reason",
		takeOver: "x-take-over",
		receipt: "x-operation-receipt",
		appVersion: "x-app-version",
		serverTime: "x-server-time",
		serverEpoch: "x-server-epoch",
		activeStream: "x-active-stream",
		sessionExpiresAt: "x-session-expires-at",
		requestId: "x-request-id"
	};
	Age = v.union([v.literal("unknown"), ElapsedMs]);
	SequenceList = v.pipe(v.string(), v.maxLength(8e3), v.regex(/^\s*(\d{1,9}(-\d{1,9})?(\s*,\s*\d{1,9}(-\d{1,9})?)*\s*)?$/, "Неверный список номеров"), v.rawTransform(({ dataset, addIssue, NEVER }) => {
		const numbers = [];
		for (const part of dataset.value.split(",")) {
			const [from, to = from] = part.trim().split("-");
			if (!from || !to) continue;
			if (Number(to) - Number(from) + numbers.length > 5e3) {
				addIssue({ message: "Слишком длинный список номеров" });
				return NEVER;
			}
			for (let n = Number(from); n <= Number(to); n += 1) numbers.push(n);
		}
		return numbers;
	}));
	IdList = v.pipe(v.string(), v.maxLength(16e3), v.transform((text) => text.split(",", 445)), v.maxLength(444), v.transform((ids) => ids.map((id) => id.trim()).filter(Boolean)), v.array(Id));
	StartHeaders = v.object({
		[HEADER.idempotencyKey]: v.optional(Id),
		[HEADER.stream]: v.optional(Id),
		[HEADER.takeOver]: v.optional(Id)
	});
	OperationHeaders = v.object({
		[HEADER.idempotencyKey]: v.optional(Id),
		[HEADER.stream]: v.optional(Id),
		[HEADER.epoch]: v.optional(PositiveInteger),
		[HEADER.sequence]: v.optional(Sequence$1),
		[HEADER.age]: v.optional(Age, 0),
		[HEADER.head]: v.optional(SequenceHead),
		[HEADER.seenServerTime]: v.optional(IsoTime),
		[HEADER.folded]: v.optional(SequenceList),
		/** An old receipt as JSON, sent with an operation that is resent after a restore. */
		[HEADER.receipt]: v.optional(v.pipe(v.string(), v.maxLength(4e3)))
	});
	FinishHeaders = v.object({
		...OperationHeaders.entries,
		[HEADER.setAside]: v.optional(SequenceList),
		[HEADER.filesSetAside]: v.optional(IdList),
		[HEADER.finishReason]: v.optional(v.picklist(["student", "deadline"]), "student")
	});
	AttemptHeaders = v.object({
		[HEADER.stream]: v.optional(Id),
		[HEADER.head]: v.optional(SequenceHead)
	});
}));
// ../../tmp/exam-room-release-2nlq5S/src/api/facts.ts
init_headers();
/** Reads the protocol's reply headers; absent or invalid ones are null. */
function replyFacts({ route, status, headers, receivedWall, rttMs }) {
	const time = Date.parse(headers.get(HEADER.serverTime) ?? "");
	const sessionEnd = Date.parse(headers.get(HEADER.sessionExpiresAt) ?? "");
	const epoch = headers.get(HEADER.serverEpoch) ?? "";
	return {
		route,
		status,
		serverTime: Number.isNaN(time) ? null : time,
		serverEpoch: /^\d{1,9}$/.test(epoch) ? Number(epoch) : null,
		activeStream: headers.get(HEADER.activeStream)?.toLowerCase() ?? null,
		sessionExpiresAt: Number.isNaN(sessionEnd) ? null : sessionEnd,
		receivedWall,
		rttMs
	};
}
var MAX_WAIT_MS = 36e5;
/** A proxy or portal knows nothing of the attempt's deadline: its wait is bounded. */
var MAX_STRANGER_WAIT_MS = 3e4;
/** `Wed, 21 Oct 2026 07:28:00 GMT` and the two obsolete forms; anything else is no date. */
var HTTP_DATE = /^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/;
/**
* Retry-After in milliseconds: seconds or an HTTP date, which is read by the sender's clock where the reply
* shows it. Undefined: absent or invalid.
*/
function retryAfterMs(headers, facts, isOurs) {
	const text = headers.get("retry-after")?.trim() ?? "";
	const sentAt = facts.serverTime ?? Date.parse(headers.get("date") ?? "");
	const now = Number.isNaN(sentAt) ? facts.receivedWall : sentAt;
	const ms = /^\d+$/.test(text) ? Number(text) * 1e3 : HTTP_DATE.test(text) ? Date.parse(text) - now : NaN;
	if (Number.isNaN(ms)) return void 0;
	return Math.min(Math.max(0, ms), isOurs ? MAX_WAIT_MS : MAX_STRANGER_WAIT_MS);
}
// ../../tmp/exam-room-release-2nlq5S/src/api/failure.ts
/** The specification's message for an unknown failure; Russian words follow it. */
var UNEXPECTED = "Unexpected error occurred";
/** The message of a failure of which nothing else is known. */
var UNKNOWN_FAILURE = `${UNEXPECTED}. Повторите или обновите страницу`;
/** The only error `call` throws. `message` may be shown to users. */
var ApiFailure = class extends Error {
	kind;
	method;
	url;
	timedOut;
	status;
	code;
	details;
	requestId;
	retryAfterMs;
	facts;
	constructor(parts) {
		const { message = UNKNOWN_FAILURE, cause } = parts;
		super(parts.code === "INTERNAL" ? `${UNEXPECTED}. ${message}` : message, { cause });
		this.name = "ApiFailure";
		this.kind = parts.kind;
		this.method = parts.method;
		this.url = parts.url;
		this.timedOut = parts.timedOut ?? false;
		this.status = parts.status;
		this.code = parts.code;
		this.details = parts.details;
		this.requestId = parts.requestId;
		this.retryAfterMs = parts.retryAfterMs;
		this.facts = parts.facts ?? null;
	}
};
// ../../tmp/exam-room-release-2nlq5S/src/api/timers.ts
/** The browser's clocks and timers, in the page and in the worker. */
var browserClock = {
	wall: () => Date.now(),
	monotone: () => performance.now()
};
var browserTimers = {
	set: (run, ms) => setTimeout(run, ms),
	clear: (timer) => clearTimeout(timer)
};
// ../../tmp/exam-room-release-2nlq5S/src/api/url.ts
/** Builds the path with parameters and query; undefined and null query values are omitted. */
function urlOf(route, input) {
	const { params = {}, query = {} } = input;
	const path = route.path.replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(String(params[name])));
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) if (value !== void 0 && value !== null) search.append(name, String(value));
	const text = search.toString();
	return text === "" ? path : `${path}?${text}`;
}
/** Body and its content type, as the route declares it. */
function bodyOf(route, input) {
	const { body, bytes } = input;
	if (route.bodyType === "bytes") return {
		headers: { "content-type": "application/octet-stream" },
		body: bytes
	};
	if (body === void 0) return {
		headers: {},
		body: void 0
	};
	return {
		headers: { "content-type": "application/json; charset=utf-8" },
		body: JSON.stringify(body)
	};
}
// ../../tmp/exam-room-release-2nlq5S/src/api/exchange.ts
init_headers();
var isGood = ({ status }) => status >= 200 && status < 300;
/** Undefined: not JSON. */
function parsedJson(text) {
	if (typeof text !== "string") return void 0;
	try {
		return JSON.parse(text);
	} catch {
		return;
	}
}
/** What all transports share: address, headers, time limit, abort, the facts of a reply, its parsing and its failures. */
function createExchangeRunner(config) {
	const clock = config.clock ?? browserClock;
	const timers = config.timers ?? browserTimers;
	function headers(route, options) {
		const token = options.token === void 0 ? config.token?.() ?? null : options.token;
		const isSignedCall = route.access !== "anyone" && token !== null;
		return {
			accept: "application/json",
			[HEADER.appVersion]: config.appVersion,
			...isSignedCall ? { authorization: `Bearer ${token}` } : {},
			...options.headers
		};
	}
	async function run(route, input, signal, work) {
		const { method } = route;
		const url = config.baseUrl + urlOf(route, input);
		const at = {
			method,
			url
		};
		const startedAt = clock.monotone();
		const abort = new AbortController();
		const stop = () => abort.abort();
		let isLate = false;
		/** The whole reply has arrived: what fails from here on is not the connection. */
		let isWhole = false;
		let timer;
		let timeOut = () => void 0;
		const late = new Promise((_resolve, reject) => {
			timeOut = () => {
				isLate = true;
				reject(/* @__PURE__ */ new Error("timed out"));
				stop();
			};
		});
		const exchange = {
			url,
			signal: abort.signal,
			restartTimer(ms) {
				timers.clear(timer);
				timer = timers.set(timeOut, ms);
			},
			headers: (options = {}) => headers(route, options),
			init(accept, options = {}) {
				const sent = bodyOf(route, input);
				return {
					method,
					headers: {
						...headers(route, options),
						accept,
						...sent.headers
					},
					...sent.body === void 0 ? {} : { body: sent.body },
					credentials: "include",
					redirect: "manual",
					cache: "no-store",
					signal: abort.signal
				};
			},
			facts: (head) => replyFacts({
				route: route.name,
				status: head.status,
				headers: head.headers,
				receivedWall: clock.wall(),
				rttMs: Math.max(0, clock.monotone() - startedAt)
			}),
			accept: (facts) => config.onReply?.(facts),
			refusal({ status, headers: own }, facts, text) {
				const refused = v.safeParse(ErrorBody, parsedJson(text));
				const isRefused = status >= 400 && refused.success;
				const wait = retryAfterMs(own, facts, isRefused && facts.serverTime !== null);
				const later = wait === void 0 ? {} : { retryAfterMs: wait };
				if (!isRefused) return new ApiFailure({
					kind: "notOurs",
					...at,
					status,
					...later
				});
				config.onReply?.(facts);
				const { code, message, details, requestId } = refused.output;
				const said = {
					code,
					message,
					details,
					requestId
				};
				return new ApiFailure({
					kind: "refused",
					...at,
					status,
					...said,
					facts,
					...later
				});
			},
			reply(head, facts, text) {
				isWhole = true;
				if (!isGood(head)) throw exchange.refusal(head, facts, text);
				const data = parsedJson(text);
				const parsed = v.safeParse(route.reply, data);
				if (!parsed.success) throw new ApiFailure({
					kind: data === void 0 ? "notOurs" : "malformed",
					...at,
					status: head.status,
					cause: parsed.issues
				});
				config.onReply?.(facts);
				return parsed.output;
			}
		};
		signal?.addEventListener("abort", stop, { once: true });
		if (signal?.aborted) stop();
		const working = work(exchange);
		try {
			return await Promise.race([working, late]);
		} catch (error) {
			if (error instanceof ApiFailure) throw error;
			throw new ApiFailure({
				...at,
				...isWhole ? { kind: "malformed" } : {
					kind: "unreachable",
					timedOut: isLate
				},
				...isLate ? {} : { cause: error }
			});
		} finally {
			timers.clear(timer);
			signal?.removeEventListener("abort", stop);
			working.catch(() => void 0);
			stop();
		}
	}
	return async (route, input, signal, work) => {
		try {
			return await run(route, input, signal, work);
		} catch (error) {
			const failure = error instanceof ApiFailure ? error : new ApiFailure({
				kind: "malformed",
				method: route.method,
				url: route.path,
				cause: error
			});
			config.onFailure?.(failure, route);
			throw failure;
		}
	};
}
// ../../tmp/exam-room-release-2nlq5S/src/api/request.ts
init_limits();
/** Creates a function that calls routes of one server, with its own fetch, clock and token. */
function createCaller(config) {
	const run = createExchangeRunner(config);
	const send = createFetch({
		fetch: config.fetch ?? ((input, init) => globalThis.fetch(input, init)),
		Headers: globalThis.Headers,
		AbortController: globalThis.AbortController
	});
	return (route, input, options = {}) => run(route, input, options.signal, async (exchange) => {
		exchange.restartTimer(options.timeoutMs ?? 5e3);
		const response = await send.raw(exchange.url, {
			...exchange.init("application/json", options),
			responseType: "text",
			ignoreResponseError: true,
			retry: 0
		});
		const { status, headers } = response;
		const facts = exchange.facts(response);
		return {
			reply: exchange.reply(response, facts, response._data),
			status,
			headers,
			facts
		};
	});
}
// ../../tmp/exam-room-release-2nlq5S/src/storage/storage.ts
/** For work that may be left undone while the device cannot store; any other error is thrown. */
function ignoreStorageFailure(error) {
	if (!(error instanceof StorageFailure)) throw error;
}
var StorageFailure, ATTEMPT_STORES;
var init_storage = __esmMin((() => {
	StorageFailure = class extends Error {
		kind;
		constructor(kind, cause) {
			super(`Storage failed: ${kind}`, { cause });
			this.name = "StorageFailure";
			this.kind = kind;
		}
	};
	ATTEMPT_STORES = [
		"attempts",
		"contents",
		"operations",
		"files",
		"fileBytes"
	];
}));
// ../../tmp/exam-room-release-2nlq5S/src/outbox/environment.ts
init_storage();
v.variant("kind", [
	v.object({
		kind: v.literal("changed"),
		attemptId: v.nullable(v.string())
	}),
	v.object({
		kind: v.literal("finished"),
		attemptId: v.string()
	}),
	v.object({ kind: v.literal("wake") }),
	v.object({ kind: v.literal("sessionChanged") })
]);
var WAIT_MS = 2e4;
/** Web Locks; only in a secure context. */
function webLocks(manager, timers) {
	return {
		run: async (name, task) => {
			const waitLimit = new AbortController();
			const timer = timers.set(() => waitLimit.abort(), WAIT_MS);
			let began = false;
			try {
				return {
					ran: true,
					value: await manager.request(name, { signal: waitLimit.signal }, async () => {
						began = true;
						timers.clear(timer);
						return task({ valid: () => true });
					})
				};
			} catch (error) {
				if (!began && waitLimit.signal.aborted) return { ran: false };
				throw error;
			} finally {
				timers.clear(timer);
			}
		},
		hold: (name) => new Promise((resolve, reject) => {
			manager.request(name, { ifAvailable: true }, (lock) => {
				if (!lock) {
					resolve(null);
					return;
				}
				return new Promise((release) => resolve(release));
			}).catch(reject);
		})
	};
}
var LEASE_MS = 15e3;
var RENEW_MS = 5e3;
var POLL_MS = 250;
/** A lease in IndexedDB, renewed while held; the fallback without Web Locks. */
function leaseLocks({ storage, wall, timers, newId, tabId }) {
	const pause = (ms) => new Promise((resolve) => {
		timers.set(resolve, ms);
	});
	/** True: acquired or renewed. An expiry implausibly far ahead was written before the clock was set back. */
	async function acquire(name, holder, onlyRenew) {
		return storage.write(["leases"], async (tx) => {
			const row = await tx.get("leases", name);
			const now = wall();
			const isMine = row?.holder === holder;
			const isTaken = row !== null && row.expiresAt > now && row.expiresAt <= now + 2 * LEASE_MS;
			if (onlyRenew ? !isMine : isTaken && !isMine) return false;
			await tx.put("leases", {
				name,
				holder,
				expiresAt: now + LEASE_MS
			});
			return true;
		});
	}
	async function release(name, holder) {
		await storage.write(["leases"], async (tx) => {
			if ((await tx.get("leases", name))?.holder === holder) await tx.delete("leases", name);
		});
	}
	/** Renews until stopped; `valid` turns false at the expiry or when another holder took the lease. */
	function renewLease(name, holder) {
		let expiresAt = wall() + LEASE_MS;
		let isLost = false;
		let timer;
		const renew = () => {
			timer = timers.set(() => {
				acquire(name, holder, true).then((renewed) => {
					if (!renewed) isLost = true;
					else if (!isLost) expiresAt = wall() + LEASE_MS;
				}, () => void 0);
				renew();
			}, RENEW_MS);
		};
		renew();
		return {
			valid: () => !isLost && wall() < expiresAt && expiresAt - wall() <= 2 * LEASE_MS,
			stop: async () => {
				timers.clear(timer);
				await release(name, holder).catch(() => void 0);
			}
		};
	}
	return {
		run: async (name, task) => {
			const holder = newId();
			try {
				let waited = 0;
				while (!await acquire(name, holder, false)) {
					if (waited >= WAIT_MS) return { ran: false };
					await pause(POLL_MS);
					waited += POLL_MS;
				}
			} catch (error) {
				ignoreStorageFailure(error);
				return {
					ran: true,
					value: await task({ valid: () => true })
				};
			}
			const lease = renewLease(name, holder);
			try {
				return {
					ran: true,
					value: await task(lease)
				};
			} finally {
				await lease.stop();
			}
		},
		hold: async (name) => {
			const holder = tabId ?? newId();
			if (!await acquire(name, holder, false)) return null;
			const lease = renewLease(name, holder);
			return () => void lease.stop();
		}
	};
}
// ../../tmp/exam-room-release-2nlq5S/src/storage/merge.ts
/** Merges the device's row of an attempt with its copy in memory. Pure. */
function mergeStreams(a, b) {
	const all = new Map(a.map((one) => [one.stream, one]));
	for (const one of b) {
		const old = all.get(one.stream);
		if (!old) {
			all.set(one.stream, one);
			continue;
		}
		all.set(one.stream, {
			...old,
			nextSequence: Math.max(old.nextSequence, one.nextSequence),
			notHere: [.../* @__PURE__ */ new Set([...old.notHere, ...one.notHere])],
			filesNotHere: [.../* @__PURE__ */ new Set([...old.filesNotHere, ...one.filesNotHere])]
		});
	}
	return [...all.values()].sort((x, y) => x.epoch - y.epoch);
}
/** Rebuilds streams from operations, for an attempt whose row was lost. */
function streamsOf(operations) {
	const found = /* @__PURE__ */ new Map();
	for (const { stream, epoch, sequence } of operations) {
		const nextSequence = Math.max(found.get(stream)?.nextSequence ?? 1, sequence + 1);
		found.set(stream, {
			stream,
			epoch,
			nextSequence,
			notHere: [],
			filesNotHere: []
		});
	}
	return [...found.values()];
}
/** Whether these contain an active finish of the attempt's current stream. */
function hasFinish$1(attempt, operations) {
	return operations.some((one) => one.kind === "finish" && one.stream === attempt.stream && (one.state === "waiting" || one.state === "acknowledged"));
}
/**
* The stream with the higher epoch is the current one. Within one stream the device's row wins,
* except for the state set by a finish in memory.
*/
function mergeAttempts(stored, inMemory, finishInMemory) {
	const isSame = stored.stream === inMemory.stream;
	const present = !isSame && epochOf(inMemory) > epochOf(stored) ? inMemory : stored;
	const ended = isSame && finishInMemory ? inMemory : present;
	return {
		...present,
		streams: mergeStreams(stored.streams, inMemory.streams),
		deadline: Math.max(stored.deadline, inMemory.deadline),
		countsUntil: Math.max(stored.countsUntil, inMemory.countsUntil),
		state: ended.state,
		finishedAt: ended.finishedAt,
		takenOver: isSame ? stored.takenOver || inMemory.takenOver : present.takenOver
	};
}
var epochOf;
var init_merge = __esmMin((() => {
	epochOf = (row) => row.streams.find((one) => one.stream === row.stream)?.epoch ?? 0;
}));
/** Moves rows from memory to the device, once it has space again. */
// ../../tmp/exam-room-release-2nlq5S/contract/bounded-list.ts
/**
* A list of at most `max` items. Its length is checked first: valibot's own array validates every item before a
* `maxLength` behind it, so that a long list costs time and issues for each item before it is refused.
* @param tooLong message for people
*/
/* @__NO_SIDE_EFFECTS__ */
function boundedList(item, max, tooLong) {
	const list = v.array(item);
	const limit = v.maxLength(max, tooLong);
	const lengthFirst = {
		...list,
		"~run"(dataset, config) {
			const { value } = dataset;
			if (!Array.isArray(value) || value.length <= max) return list["~run"](dataset, config);
			return {
				...limit["~run"]({
					typed: true,
					value
				}, config),
				typed: false
			};
		}
	};
	return v.pipe(lengthFirst, limit);
}
var init_bounded_list = __esmMin((() => {}));
// ../../tmp/exam-room-release-2nlq5S/contract/answers.ts
var OpenAnswer, VariantAnswer, ComplianceAnswer, OrderingAnswer, GapAnswer, GapsAnswer, describedFile, AnswerFile, FileAnswer, Answer, AnswerPosition, saved, SavedAnswers, ANSWER_GROUPS, NO_SAVED_ANSWERS;
var init_answers$6 = __esmMin((() => {
	init_bounded_list();
	init_limits();
	init_primitives();
	OpenAnswer = v.strictObject({
		questionId: Id,
		kind: v.literal("open"),
		text: v.pipe(v.string(), v.maxLength(ANSWER_TEXT_CHARACTERS, "Ответ слишком длинный"))
	});
	VariantAnswer = v.strictObject({
		questionId: Id,
		kind: v.literal("variant"),
		optionIds: /* @__PURE__ */ boundedList(PartId, 100)
	});
	ComplianceAnswer = v.strictObject({
		questionId: Id,
		kind: v.literal("compliance"),
		pairs: /* @__PURE__ */ boundedList(v.strictObject({
			leftId: PartId,
			rightId: PartId
		}), 100)
	});
	OrderingAnswer = v.strictObject({
		questionId: Id,
		kind: v.literal("ordering"),
		itemIds: /* @__PURE__ */ boundedList(PartId, 100)
	});
	GapAnswer = v.union([v.strictObject({
		gapId: GapId,
		text: v.pipe(v.string(), v.maxLength(500, "Ответ слишком длинный"))
	}), v.strictObject({
		gapId: GapId,
		optionId: PartId
	})]);
	GapsAnswer = v.strictObject({
		questionId: Id,
		kind: v.literal("gaps"),
		gaps: /* @__PURE__ */ boundedList(GapAnswer, 100)
	});
	describedFile = {
		name: v.pipe(v.string(), v.maxLength(300)),
		size: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(FILE_BYTES)),
		mimeType: v.pipe(v.string(), v.maxLength(200))
	};
	AnswerFile = v.strictObject({
		fileId: Id,
		...describedFile,
		sha256: v.pipe(v.string(), v.maxLength(64), v.regex(/^[0-9a-f]{64}$/))
	});
	FileAnswer = v.strictObject({
		questionId: Id,
		kind: v.literal("file"),
		fileId: v.nullable(Id),
		...describedFile,
		sha256: v.pipe(v.string(), v.maxLength(64), v.regex(/^([0-9a-f]{64})?$/)),
		more: v.optional(/* @__PURE__ */ boundedList(AnswerFile, 9))
	});
	Answer = v.variant("kind", [
		OpenAnswer,
		VariantAnswer,
		ComplianceAnswer,
		OrderingAnswer,
		GapsAnswer,
		FileAnswer
	]);
	AnswerPosition = v.object({
		operationId: Id,
		epoch: NonNegativeInteger,
		sequence: v.nullable(NonNegativeInteger),
		receivedAt: IsoTime,
		receivedLate: v.boolean()
	});
	saved = ({ entries }) => v.array(v.object({
		...entries,
		...AnswerPosition.entries
	}));
	SavedAnswers = v.object({
		openAnswers: saved(OpenAnswer),
		variantAnswers: saved(VariantAnswer),
		complianceAnswers: saved(ComplianceAnswer),
		orderingAnswers: saved(OrderingAnswer),
		gapsAnswers: saved(GapsAnswer),
		fileAnswers: saved(FileAnswer)
	});
	ANSWER_GROUPS = {
		open: "openAnswers",
		variant: "variantAnswers",
		compliance: "complianceAnswers",
		ordering: "orderingAnswers",
		gaps: "gapsAnswers",
		file: "fileAnswers"
	};
	NO_SAVED_ANSWERS = {
		openAnswers: [],
		variantAnswers: [],
		complianceAnswers: [],
		orderingAnswers: [],
		gapsAnswers: [],
		fileAnswers: []
	};
}));
// ../../tmp/exam-room-release-2nlq5S/domain/saved-answers.ts
/** Answers in the groups of their kinds, each group in the given order. */
function groupSaved(answers) {
	const groups = structuredClone(NO_SAVED_ANSWERS);
	for (const answer of answers) groups[ANSWER_GROUPS[answer.kind]]?.push(answer);
	return groups;
}
var GROUPS$1, listSaved;
var init_saved_answers = __esmMin((() => {
	init_answers$6();
	GROUPS$1 = Object.values(ANSWER_GROUPS);
	listSaved = (saved) => GROUPS$1.flatMap((group) => saved[group]);
}));
// ../../tmp/exam-room-release-2nlq5S/domain/kinds/ids.ts
var isDoubled;
var init_ids = __esmMin((() => {
	isDoubled = (ids) => new Set(ids).size < ids.length;
}));
// ../../tmp/exam-room-release-2nlq5S/domain/kinds/compliance/answers.ts
var complianceAnswers;
var init_answers$5 = __esmMin((() => {
	init_ids();
	complianceAnswers = {
		isAnswered: ({ pairs }) => pairs.length > 0,
		fits({ pairs }, question) {
			const left = new Set(question.left.map(({ leftId }) => leftId));
			const right = new Set(question.right.map(({ rightId }) => rightId));
			return !isDoubled(pairs.map(({ leftId }) => leftId)) && pairs.every(({ leftId, rightId }) => left.has(leftId) && right.has(rightId));
		}
	};
}));
// ../../tmp/exam-room-release-2nlq5S/domain/answer-files.ts
/** The files of an answer in the student's order; empty: none, or an answer of another kind. */
function answerFiles(answer) {
	if (answer?.kind !== "file" || answer.fileId === null) return [];
	const { fileId, name, size, mimeType, sha256, more = [] } = answer;
	return [{
		fileId,
		name,
		size,
		mimeType,
		sha256
	}, ...more];
}
/** The answer that consists of these files; none: the answer is cleared. */
function fileAnswer(questionId, files) {
	const [first, ...more] = files;
	return {
		questionId,
		kind: "file",
		...first ?? {
			fileId: null,
			name: "",
			size: 0,
			mimeType: "",
			sha256: ""
		},
		...more.length > 0 && { more }
	};
}
var maxFilesOf;
var init_answer_files = __esmMin((() => {
	maxFilesOf = ({ maxFiles = 1 }) => maxFiles;
}));
// ../../tmp/exam-room-release-2nlq5S/domain/kinds/file/answers.ts
var fileAnswers;
var init_answers$4 = __esmMin((() => {
	init_answer_files();
	init_ids();
	fileAnswers = {
		isAnswered: ({ fileId }) => fileId !== null,
		/** Each file once, none after a null one. */
		fits(answer, question) {
			const files = answerFiles(answer);
			return (answer.fileId !== null || (answer.more ?? []).length === 0) && files.length <= maxFilesOf(question) && !isDoubled(files.map(({ fileId }) => fileId)) && files.every(({ size }) => size <= question.maxBytes);
		}
	};
}));
// ../../tmp/exam-room-release-2nlq5S/domain/kinds/gaps/answers.ts
var isFilledGap, gapsAnswers;
var init_answers$3 = __esmMin((() => {
	init_ids();
	isFilledGap = (given) => "optionId" in given || given.text.trim() !== "";
	gapsAnswers = {
		isAnswered: ({ gaps }) => gaps.some(isFilledGap),
		/** Each gap once at most, typed into or chosen in as the gap asks. */
		fits(answer, { gaps }) {
			const known = new Map(gaps.map((gap) => [gap.gapId, gap]));
			return !isDoubled(answer.gaps.map(({ gapId }) => gapId)) && answer.gaps.every((given) => {
				const gap = known.get(given.gapId);
				if (gap?.input !== "choice") return gap !== void 0 && "text" in given;
				return "optionId" in given && gap.options.some(({ optionId }) => optionId === given.optionId);
			});
		}
	};
}));
// ../../tmp/exam-room-release-2nlq5S/domain/kinds/open/answers.ts
var openAnswers;
var init_answers$2 = __esmMin((() => {
	openAnswers = {
		isAnswered: ({ text }) => text.trim() !== "",
		fits: () => true
	};
}));
// ../../tmp/exam-room-release-2nlq5S/domain/ordering.ts
/** Whether these are all items of a question, each once: a part of an order cannot be scored. */
function isWholeOrder(given, items) {
	const known = new Set(items);
	return given.length === known.size && new Set(given).size === given.length && given.every((id) => known.has(id));
}
var init_ordering = __esmMin((() => {}));
// ../../tmp/exam-room-release-2nlq5S/domain/kinds/ordering/answers.ts
var orderingAnswers;
var init_answers$1 = __esmMin((() => {
	init_ordering();
	orderingAnswers = {
		isAnswered: ({ itemIds }) => itemIds.length > 0,
		/** A part of an order says nothing; empty clears the answer. */
		fits: ({ itemIds }, { items }) => itemIds.length === 0 || isWholeOrder(itemIds, items.map(({ itemId }) => itemId))
	};
}));
// ../../tmp/exam-room-release-2nlq5S/domain/kinds/variant/answers.ts
var variantAnswers;
var init_answers = __esmMin((() => {
	init_ids();
	variantAnswers = {
		isAnswered: ({ optionIds }) => optionIds.length > 0,
		fits({ optionIds }, { options, multiple }) {
			const known = new Set(options.map(({ optionId }) => optionId));
			return !isDoubled(optionIds) && optionIds.every((id) => known.has(id)) && (multiple || optionIds.length <= 1);
		}
	};
}));
// ../../tmp/exam-room-release-2nlq5S/domain/kinds/answer-kinds.ts
var RULES, answerRules;
var init_answer_kinds = __esmMin((() => {
	init_answers$5();
	init_answers$4();
	init_answers$3();
	init_answers$2();
	init_answers$1();
	init_answers();
	RULES = {
		open: openAnswers,
		variant: variantAnswers,
		compliance: complianceAnswers,
		ordering: orderingAnswers,
		gaps: gapsAnswers,
		file: fileAnswers
	};
	answerRules = ({ kind }) => RULES[kind];
}));
// ../../tmp/exam-room-release-2nlq5S/domain/answered.ts
var isAnswered;
var init_answered = __esmMin((() => {
	init_answer_kinds();
	isAnswered = (answer) => answer ? answerRules(answer).isAnswered(answer) : false;
}));
// ../../tmp/exam-room-release-2nlq5S/src/outbox/plan.ts
/** Tasks with the same key never run at the same time. */
function taskKey(task) {
	return task.kind === "upload" ? questionKey(task.file) : questionKey(task.operation);
}
/** Key of the back-off after a failure. */
function waitKey(task) {
	return task.kind === "upload" ? task.file.fileId : task.operation.operationId;
}
/** The files that an operation names, in order. */
function fileIdsOf({ fileId, answer }) {
	const more = answer?.kind === "file" ? answer.more ?? [] : [];
	return fileId === null ? [] : [fileId, ...more.map((file) => file.fileId)];
}
/** The next operation of each question: order is preserved, but poisoned ones block nothing. */
function heads(waiting) {
	const found = /* @__PURE__ */ new Map();
	for (const one of [...waiting].sort(bySequence)) {
		if (one.kind !== "answer") continue;
		const key = questionKey(one);
		const head = found.get(key);
		if (!head || head.poisoned && !one.poisoned) found.set(key, one);
	}
	return [...found.values()];
}
function answerTask(operation, files) {
	if (operation.receipt !== null) return {
		kind: "answer",
		operation
	};
	let next = null;
	for (const fileId of fileIdsOf(operation)) {
		const file = files.get(fileId);
		if (!file || file.state === "setAside") return {
			kind: "fileLost",
			operation,
			file: file ?? null
		};
		if (file.state !== "complete") next ??= file;
	}
	return next ? {
		kind: "upload",
		file: next,
		operation
	} : {
		kind: "answer",
		operation
	};
}
/** All tasks that could run once their back-off is over, except finishes. */
function openTasks(work) {
	const files = new Map(work.files.map((file) => [file.fileId, file]));
	const answers = heads(work.waiting).map((operation) => answerTask(operation, files));
	const planned = new Set(answers.flatMap((task) => task.kind === "upload" ? [task.file.fileId] : []));
	const wanted = work.files.filter((file) => file.wanted && isUnderWay(file) && !planned.has(file.fileId));
	return [...answers, ...wanted.map((file) => ({
		kind: "upload",
		file,
		operation: null
	}))];
}
/** A finish is sent when nothing of its stream waits; poisoned ones are declared in it instead. */
function finishTasks(work) {
	const blocked = /* @__PURE__ */ new Set();
	const streamKey = (one) => `${one.attemptId}/${one.stream}`;
	for (const one of work.waiting) if (one.kind === "answer" && !one.poisoned) blocked.add(streamKey(one));
	for (const file of work.files) if (file.wanted && isUnderWay(file)) blocked.add(streamKey(file));
	return work.waiting.filter((one) => one.kind === "finish" && !blocked.has(streamKey(one))).flatMap((finish) => {
		const chances = work.waiting.filter((one) => one.poisoned && streamKey(one) === streamKey(finish) && !work.tried.has(one.operationId));
		if (chances.length === 0) return [{
			kind: "finish",
			operation: finish
		}];
		const files = new Map(work.files.map((file) => [file.fileId, file]));
		return work.isDue(finish.operationId) ? chances.map((one) => answerTask(one, files)) : [];
	});
}
function order(work) {
	const since = (task) => task.kind === "upload" ? Infinity : task.operation.acknowledgedAt ?? Infinity;
	const place = (task) => {
		const { operation } = task;
		return [operation?.epoch ?? 0, operation?.sequence ?? 0];
	};
	return (a, b) => {
		const byFailures = work.failures(waitKey(a)) - work.failures(waitKey(b));
		if (byFailures !== 0) return byFailures;
		const [left, right] = [since(a), since(b)];
		if (left !== right) return left < right ? -1 : 1;
		const [x, y] = [place(a), place(b)];
		return x[0] - y[0] || x[1] - y[1];
	};
}
/** Tasks that may run now, in order: answers and files first, a finish when nothing else of its attempt can run. */
function planTasks(work) {
	const isFree = (task) => !work.busy.has(taskKey(task)) && work.isDue(waitKey(task));
	const now = openTasks(work).filter(isFree).sort(order(work));
	const attempts = new Set(now.map((task) => attemptOf(task)));
	const busyAttempts = new Set([...work.busy].map((key) => key.split("/", 1)[0]));
	const last = finishTasks(work).filter((task) => {
		return !attempts.has(attemptOf(task)) && !busyAttempts.has(attemptOf(task)) && (task.kind === "finish" ? isFree(task) : !work.busy.has(taskKey(task)));
	});
	return [...now, ...last];
}
/** Keys of everything that waits for its back-off. */
function waitingKeys(work) {
	const all = {
		...work,
		busy: /* @__PURE__ */ new Set(),
		isDue: () => true,
		failures: () => 0,
		tried: new Set(work.waiting.map((one) => one.operationId))
	};
	return [...openTasks(all), ...finishTasks(all)].map(waitKey);
}
/**
* @param operations all of the attempt on this device
* @param files all of the attempt on this device
*/
function createFinishManifest(finish, stream, operations, files) {
	const folded = [];
	const sequences = [...stream?.notHere ?? []];
	for (const operation of operations) {
		if (operation.stream !== finish.stream) continue;
		if (operation.state === "folded") folded.push(operation.sequence);
		if (operation.state === "setAside" || operation.poisoned || operation.state === "dropped") sequences.push(operation.sequence);
		sequences.push(...operation.formerSequences);
	}
	const refusedFiles = files.filter((file) => file.stream === finish.stream && file.state === "setAside");
	return {
		folded,
		sequences: sequences.filter((n) => n < finish.sequence),
		files: [...stream?.filesNotHere ?? [], ...refusedFiles.map((file) => file.fileId)]
	};
}
/** @param exhausted sequences and files that were resent `MAX_RESENDS` times and are still missing */
function planResend(finish, missing, missingFiles, operations, files, exhausted) {
	const answers = operations.filter((one) => one.stream === finish.stream && one.kind === "answer");
	const resend = [];
	const lost = [];
	for (const n of missing) {
		const stored = answers.find((one) => one.sequence === n);
		const isSendable = stored?.state === "acknowledged" || stored?.state === "waiting" && !stored.poisoned;
		if (stored && isSendable && !exhausted.has(String(n))) resend.push(stored);
		else lost.push(n);
	}
	const filesToResend = [];
	const filesLost = [];
	for (const id of missingFiles) {
		const stored = files.find((file) => file.fileId === id);
		if (stored && stored.state !== "setAside" && !exhausted.has(id)) filesToResend.push(stored);
		else filesLost.push(id);
	}
	return {
		resend,
		lost,
		filesToResend,
		filesLost
	};
}
/** Milliseconds to wait after the n-th failure in a row. */
function backoffMs(failures, random) {
	const ceiling = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(failures - 1, 10));
	return Math.max(FLOOR_MS, Math.round(random() * ceiling));
}
function createBackoffs(monotone, random) {
	const waits = /* @__PURE__ */ new Map();
	/** Requested waits: monotonic times by key. */
	const requested = /* @__PURE__ */ new Map();
	const failedInRow = /* @__PURE__ */ new Set();
	let all = {
		failures: 0,
		notBefore: 0
	};
	function delayAll(waitMs) {
		const failures = all.failures + 1;
		all = {
			failures,
			notBefore: monotone() + Math.max(waitMs ?? 0, backoffMs(failures, random))
		};
	}
	const dueAt = (key) => Math.max(waits.get(key)?.notBefore ?? 0, requested.get(key) ?? 0);
	return {
		isDue: (key) => dueAt(key) <= monotone(),
		failures: (key) => waits.get(key)?.failures ?? 0,
		failed: (key, waitMs) => {
			const failures = (waits.get(key)?.failures ?? 0) + 1;
			waits.set(key, {
				failures,
				notBefore: monotone() + (waitMs ?? backoffMs(failures, random))
			});
			failedInRow.add(key);
			if (failedInRow.size >= MANY) delayAll();
		},
		postpone: (key, waitMs) => {
			requested.set(key, monotone() + waitMs);
		},
		succeeded: (key) => {
			waits.delete(key);
			requested.delete(key);
		},
		delayAll,
		allDue: () => all.notBefore <= monotone(),
		serverSucceeded: () => {
			const now = monotone();
			const hasEnded = all.notBefore > now || [...requested.values()].some((until) => until > now);
			failedInRow.clear();
			requested.clear();
			all = {
				failures: 0,
				notBefore: 0
			};
			return hasEnded;
		},
		nextIn: (keys) => {
			if (keys.length === 0) return null;
			const earliest = Math.min(...keys.map(dueAt));
			return Math.max(0, Math.ceil(Math.max(earliest, all.notBefore) - monotone()));
		},
		forget: () => {
			for (const [key, wait] of waits) waits.set(key, {
				...wait,
				notBefore: 0
			});
			failedInRow.clear();
			requested.clear();
			all = {
				failures: 0,
				notBefore: 0
			};
		}
	};
}
var questionKey, isUnderWay, bySequence, attemptOf, BASE_MS, CAP_MS, FLOOR_MS, POISONED_EVERY_MS, MANY;
var init_plan = __esmMin((() => {
	questionKey = (one) => `${one.attemptId}/${one.stream}/${one.questionId ?? "finish"}`;
	isUnderWay = (file) => file.state === "unchecked" || file.state === "uploading";
	bySequence = (a, b) => a.epoch - b.epoch || a.sequence - b.sequence;
	attemptOf = (task) => task.kind === "upload" ? task.file.attemptId : task.operation.attemptId;
	BASE_MS = 1e3;
	CAP_MS = 3e4;
	FLOOR_MS = 100;
	POISONED_EVERY_MS = 12e4;
	MANY = 3;
}));
// ../../tmp/exam-room-release-2nlq5S/src/outbox/overlay.ts
/**
* Merges a fresh reply with the known answers: per question the greater (epoch, sequence) wins, so that
* an empty or older reply never removes a shown answer.
*/
function mergeSaved(known, fresh) {
	const best = /* @__PURE__ */ new Map();
	for (const one of [...known ? listSaved(known) : [], ...listSaved(fresh)]) {
		const old = best.get(one.questionId);
		if (!old || compare(one, old) >= 0) best.set(one.questionId, one);
	}
	return groupSaved([...best.values()]);
}
/** Whether a local operation may be shown as the question's answer. */
function isShowable(one) {
	const isThere = one.state === "waiting" || one.state === "acknowledged" || one.state === "setAside";
	return one.kind === "answer" && isThere;
}
function latest(operations) {
	return operations.reduce((best, one) => best === null || compare(one, best) > 0 ? one : best, null);
}
/** The local operation shown for a question; null when the server's answer is shown. */
function shownOperation(attempt, mine, server) {
	const current = latest(mine.filter((one) => one.stream === attempt.stream));
	if (current && !attempt.takenOver) {
		const isNewer = server !== void 0 && compare(server, current) > 0;
		return current.state === "acknowledged" && isNewer ? null : current;
	}
	const any = latest(mine);
	if (!any) return null;
	return server !== void 0 && compare(server, any) > 0 ? null : any;
}
function stageOf(one, input, server) {
	if (one.state === "acknowledged") return one.receipt?.outcome === "held" && server?.operationId !== one.operationId ? "held" : "server";
	if (one.state === "setAside" || one.poisoned) return "setAside";
	if (input.sending.has(one.operationId)) return "sending";
	return isUnsaved(one, input) ? "unsaved" : "device";
}
function localView(one, input, server) {
	const stage = stageOf(one, input, server);
	const files = filesOf(one, input);
	const isOnTheWay = files.some(({ state }) => state !== "complete") && (stage === "device" || stage === "sending");
	return {
		questionId: one.questionId ?? "",
		answer: one.answer,
		answered: isAnswered(one.answer),
		stage,
		at: one.state === "acknowledged" ? one.acknowledgedAt : one.writtenServer,
		receipt: one.state === "acknowledged" ? one.receipt : null,
		refusal: stage === "setAside" ? one.refusal ?? null : null,
		upload: isOnTheWay ? uploadOf(files) : null
	};
}
function overlay(input) {
	const byQuestion = /* @__PURE__ */ new Map();
	for (const one of input.operations) {
		if (!isShowable(one) || one.questionId === null) continue;
		byQuestion.set(one.questionId, [...byQuestion.get(one.questionId) ?? [], one]);
	}
	const saved = new Map((input.saved ? listSaved(input.saved) : []).map((one) => [one.questionId, one]));
	const marks = new Set(input.attempt.marks);
	return input.questions.map(({ questionId }) => {
		const marked = marks.has(questionId);
		const server = saved.get(questionId);
		const local = shownOperation(input.attempt, byQuestion.get(questionId) ?? [], server);
		if (local) return {
			...localView(local, input, server),
			marked
		};
		const answer = server ? plainAnswer(server) : null;
		return {
			questionId,
			answer,
			answered: isAnswered(answer),
			stage: server ? "server" : "none",
			at: server ? Date.parse(server.receivedAt) : null,
			marked,
			receipt: null,
			refusal: null,
			upload: null
		};
	});
}
/** Distinct questions with a waiting answer, and with one set aside. */
function unsentQuestions(operations) {
	const waiting = /* @__PURE__ */ new Set();
	const setAside = /* @__PURE__ */ new Set();
	for (const one of operations) {
		if (one.questionId === null) continue;
		const key = `${one.attemptId}/${one.questionId}`;
		if (one.state === "setAside" || one.poisoned) setAside.add(key);
		else if (one.state === "waiting") waiting.add(key);
	}
	return {
		waiting,
		setAside
	};
}
/** Questions whose answer is only in memory, even while it is being sent: unsaved until its receipt. */
function unsavedQuestions(input) {
	const atRisk = input.operations.filter((one) => one.kind === "answer" && (one.state === "waiting" || one.state === "setAside") && isUnsaved(one, input));
	return new Set(atRisk.map(({ questionId }) => questionId)).size;
}
function countAnswers(input, views) {
	const { waiting } = unsentQuestions(input.operations);
	const count = (test) => views.filter(test).length;
	return {
		total: views.length,
		answered: count((view) => view.answered),
		marked: count((view) => view.marked),
		waiting: waiting.size,
		sending: count((view) => view.stage === "sending"),
		setAside: count((view) => view.stage === "setAside"),
		unsaved: unsavedQuestions(input),
		broken: input.broken
	};
}
var compare, plainAnswer, filesOf, isUnsaved, uploadOf;
var init_overlay = __esmMin((() => {
	init_answers$6();
	init_answered();
	init_saved_answers();
	init_plan();
	compare = (a, b) => a.epoch - b.epoch || (a.sequence ?? 0) - (b.sequence ?? 0);
	plainAnswer = (saved) => Object.fromEntries(Object.entries(saved).filter(([field]) => !(field in AnswerPosition.entries)));
	filesOf = (one, { files }) => {
		const named = new Set(fileIdsOf(one));
		return files.filter(({ fileId }) => named.has(fileId));
	};
	isUnsaved = (one, input) => input.unsaved.has(one.operationId) || filesOf(one, input).some(({ operationId }) => input.unsaved.has(operationId));
	uploadOf = (files) => ({
		received: files.reduce((sum, row) => sum + (row.state === "complete" ? row.size : row.received), 0),
		size: files.reduce((sum, { size }) => sum + size, 0)
	});
}));
// ../../tmp/exam-room-release-2nlq5S/src/outbox/attempts.ts
/** Attempts stored on this device: created by a start, updated by replies, deleted when they have expired. */
function toLocal(row) {
	const { attemptId, testId, owner, title, stream, state, takenOver, gone } = row;
	const { startedAt, deadline, countsUntil, finishedAt } = row;
	return {
		attemptId,
		testId,
		owner,
		title,
		stream,
		epoch: row.streams.find((one) => one.stream === stream)?.epoch ?? 1,
		state,
		takenOver,
		gone,
		startedAt,
		deadline,
		countsUntil,
		finishedAt
	};
}
/**
* Stores the reply of a start. A known stream continues; a new one becomes the device's current stream,
* unless the reply is late and belongs to an older epoch.
*/
async function adoptIn(tx, owner, started) {
	const { userTestId: attemptId, stream, epoch } = started;
	const known = await tx.get("attempts", attemptId);
	const operations = await tx.all("operations", "attempt", attemptId);
	const fresh = {
		stream,
		epoch,
		nextSequence: 1,
		notHere: [],
		filesNotHere: []
	};
	const streams = mergeStreams(known?.streams ?? streamsOf(operations), [fresh]);
	const own = known?.streams.find((one) => one.stream === known.stream);
	const isOutdated = own !== void 0 && own.epoch > epoch;
	const current = isOutdated ? own.stream : stream;
	const isSame = known?.stream === current;
	const finishWaits = operations.some((one) => one.kind === "finish" && one.stream === current && one.state === "waiting");
	const row = {
		attemptId,
		owner,
		testId: started.testId,
		title: started.title,
		language: started.language,
		attemptNumber: started.attemptNumber,
		attemptsCount: started.attemptsCount,
		totalQuestions: started.totalQuestions,
		stream: current,
		streams,
		startedAt: Date.parse(started.startedAt),
		deadline: Math.max(known?.deadline ?? 0, Date.parse(started.deadline)),
		countsUntil: Math.max(known?.countsUntil ?? 0, Date.parse(started.countsUntil)),
		state: isSame && known.state === "finished" ? "finished" : finishWaits ? "finishing" : "running",
		finishedAt: isSame ? known.finishedAt : null,
		takenOver: isOutdated && known?.takenOver === true,
		gone: false,
		marks: known?.marks ?? [],
		lastQuestionId: known?.lastQuestionId ?? null
	};
	await tx.put("attempts", row);
	const content = await tx.get("contents", attemptId);
	await tx.put("contents", {
		attemptId,
		questions: started.questions.length > 0 ? started.questions : content?.questions ?? [],
		saved: content?.saved ?? null
	});
	const session = await tx.get("session", "current");
	if (session?.owner === owner) await tx.put("session", {
		...session,
		expiresAt: started.expiresAt
	});
	return row;
}
/** Stores a start's reply; the device continues with its stream. */
async function adoptStarted(core, owner, started) {
	await core.ready();
	const { value: row } = await core.storage.writeEither(ADOPT_STORES, (tx) => adoptIn(tx, owner, started), started.userTestId);
	core.storage.rememberAttempt(row);
	core.emit({
		kind: "changed",
		attemptId: row.attemptId
	});
	return toLocal(row);
}
/**
* Stores the server's answers for the overlay; merged, so that shown answers never disappear. An answer of an
* epoch after this device's proves that another one took the attempt over.
*/
async function adoptSaved(core, attemptId, saved) {
	const newest = Math.max(0, ...listSaved(saved).map(({ epoch }) => epoch));
	let isTakenOver = false;
	await core.storage.writeBoth(attemptId, ["attempts", "contents"], async (tx) => {
		const content = await tx.get("contents", attemptId);
		if (content) await tx.put("contents", {
			...content,
			saved: mergeSaved(content.saved, saved)
		});
		const row = await tx.get("attempts", attemptId);
		if (!row || row.takenOver || row.state === "finished" || newest <= toLocal(row).epoch) return;
		isTakenOver = true;
		await tx.put("attempts", {
			...row,
			takenOver: true
		});
	});
	core.emit({
		kind: "changed",
		attemptId
	});
	if (isTakenOver) core.emit({
		kind: "takenOver",
		attemptId
	});
}
/** Updates an attempt's row; does nothing when it is not on this device. */
async function changeAttempt(core, attemptId, change) {
	await core.storage.writeBoth(attemptId, ["attempts"], async (tx) => {
		const row = await tx.get("attempts", attemptId);
		if (row) await tx.put("attempts", change(row));
	});
	core.emit({
		kind: "changed",
		attemptId
	});
}
/** A running attempt's deadline never becomes earlier. */
async function adoptDeadline(core, attemptId, times) {
	await changeAttempt(core, attemptId, (row) => ({
		...row,
		deadline: Math.max(row.deadline, Date.parse(times.deadline)),
		countsUntil: Math.max(row.countsUntil, Date.parse(times.countsUntil))
	}));
}
/** Attempts of one user on this device, oldest first. */
async function attemptsOf(core, owner) {
	return (await core.storage.readAttempts(owner)).sort((one, other) => one.startedAt - other.startedAt);
}
/** Server time from which an attempt may be deleted; null while anything waits or is set aside. */
function computeRetentionEnd(attempt, operations) {
	if (attempt === null || operations.some(isUnsent$1)) return null;
	if (attempt.finishedAt !== null) return attempt.finishedAt + RETAINED_MS;
	return attempt.takenOver ? attempt.countsUntil + RETAINED_WITHOUT_RECEIPT_MS : null;
}
/** Whether nothing waits and nothing more will be written here. */
function isOver(attempt, operations) {
	if (attempt === null || operations.some(isUnsent$1)) return false;
	return attempt.state === "finished" || attempt.takenOver || attempt.gone;
}
/** Deletes all rows of an attempt, in a transaction over `ATTEMPT_STORES`. */
async function deleteAttempt(tx, attemptId) {
	for (const one of await tx.all("operations", "attempt", attemptId)) await tx.delete("operations", one.operationId);
	for (const file of await tx.all("files", "attempt", attemptId)) {
		for (const part of await tx.all("fileBytes", "file", file.fileId)) await tx.delete("fileBytes", [part.fileId, part.part]);
		await tx.delete("files", file.fileId);
	}
	await tx.delete("contents", attemptId);
	await tx.delete("attempts", attemptId);
}
/** Deletes expired encrypted rows of every owner: they may never sign in here again. */
async function deleteExpiredEncrypted(core, now) {
	await core.storage.write(["encrypted"], async (tx) => {
		for (const one of await tx.all("encrypted", "kind", "attempt")) {
			if (one.outlivedAt === null || now < one.outlivedAt) continue;
			for (const fileId of one.fileIds) for (const bytes of await tx.all("encrypted", "file", fileId)) await tx.delete("encrypted", bytes.id);
			await tx.delete("encrypted", one.id);
		}
	});
}
/** Deletes the owner's expired attempts, each in one transaction. */
async function deleteExpiredAttempts(core, owner) {
	const now = core.clock.serverNow();
	if (now === null) return;
	await deleteExpiredEncrypted(core, now).catch(ignoreStorageFailure);
	for (const { attemptId } of await attemptsOf(core, owner)) await core.storage.write(ATTEMPT_STORES, async (tx) => {
		const until = computeRetentionEnd(await tx.get("attempts", attemptId), await tx.all("operations", "attempt", attemptId));
		if (until !== null && now >= until) await deleteAttempt(tx, attemptId);
	}).catch(ignoreStorageFailure);
}
var ADOPT_STORES, DAY_MS, RETAINED_MS, RETAINED_WITHOUT_RECEIPT_MS, isUnsent$1;
var init_attempts = __esmMin((() => {
	init_merge();
	init_storage();
	init_saved_answers();
	init_overlay();
	ADOPT_STORES = [
		"attempts",
		"contents",
		"operations",
		"session"
	];
	DAY_MS = 864e5;
	RETAINED_MS = 7 * DAY_MS;
	RETAINED_WITHOUT_RECEIPT_MS = 30 * DAY_MS;
	isUnsent$1 = ({ state }) => state === "waiting" || state === "setAside";
}));
// ../../tmp/exam-room-release-2nlq5S/contract/route.ts
/** Keeps the literal types of a route. A bundle leaves out the calls that nobody in it makes. */
/* @__NO_SIDE_EFFECTS__ */
function route(definition) {
	return definition;
}
var init_route = __esmMin((() => {})), RoleNumber, Email, NewPassword, UserName, RegisterForm, User, DeviceKey, mustSetUpFactor;
var init_auth = __esmMin((() => {
	init_primitives();
	init_route();
	RoleNumber = v.picklist([
		0,
		1,
		2
	]);
	Email = v.pipe(v.string("Пожалуйста, введите почту"), v.trim(), v.nonEmpty("Пожалуйста, введите почту"), v.maxLength(254, "Почта слишком длинная"), v.email("Неверный формат электронной почты"));
	v.strictObject({
		email: Email,
		password: v.pipe(v.string("Пожалуйста, введите пароль"), v.nonEmpty("Пожалуйста, введите пароль"), v.maxLength(200, "Пароль слишком длинный"))
	});
	NewPassword = v.pipe(v.string("Пожалуйста, введите пароль"), v.nonEmpty("Пожалуйста, введите пароль"), v.maxLength(200, "Пароль слишком длинный"), v.minLength(6, "Пароль должен быть не менее 6 символов"), v.regex(/[A-Z]/, "Пароль должен содержать хотя бы одну заглавную букву"), v.regex(/\d/, "Пароль должен содержать хотя бы одну цифру"));
	UserName = /* @__PURE__ */ nameOf$1({
		missing: "Пожалуйста, введите логин",
		most: 100,
		tooLong: "Логин слишком длинный"
	});
	RegisterForm = v.strictObject({
		userName: UserName,
		email: Email,
		password: NewPassword
	});
	v.strictObject({
		...RegisterForm.entries,
		/** Code of a class; required where registration goes by code. */
		joinCode: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(20, "Код слишком длинный")))
	});
	User = v.object({
		userId: Id,
		userName: v.string(),
		email: v.string(),
		role: RoleNumber,
		isAdmin: v.boolean()
	});
	DeviceKey = v.pipe(v.string(), v.regex(/^[\w-]{43}$/));
	mustSetUpFactor = v.optional(v.boolean());
	v.object({
		token: v.string(),
		expiresAt: IsoTime,
		user: User,
		deviceKey: v.optional(DeviceKey),
		mustSetUpFactor
	});
	v.object({ "user-agent": v.optional(v.string()) });
	v.object({});
	v.object({
		user: User,
		expiresAt: IsoTime,
		deviceKey: v.optional(DeviceKey),
		mustSetUpFactor
	});
	v.object({
		userId: Id,
		userName: v.string(),
		role: RoleNumber,
		/** Names of the classes, and the sign-in name: of namesakes alone, to tell them apart. */
		classes: v.optional(v.array(v.string())),
		email: v.optional(v.string())
	});
})), Difficulty, Theme;
var init_themes = __esmMin((() => {
	Difficulty = v.picklist([
		"easy",
		"medium",
		"hard"
	]);
	Theme = v.picklist([
		"english",
		"math",
		"physics",
		"russian",
		"chemistry",
		"biology",
		"geography",
		"informatics",
		"history",
		"literature",
		"astronomy",
		"ecology",
		"social_studies",
		"programming",
		"art",
		"music",
		"physical_education",
		"philosophy"
	]);
	v.picklist([
		"ru",
		"en",
		"de",
		"fr",
		"es",
		"zh",
		"tt",
		"ba",
		"cv"
	]);
}));
// ../../tmp/exam-room-release-2nlq5S/contract/questions.ts
var FormattedText, PlainText, parts, transcript, transcriptRule, StudentPassage, Passage, common, shown, Left, Right, Item, Share, Area, area, Reuse, OpenInput, TypedInput, fileRules, StudentQuestion, ImportSource, Origin, QuestionTopic, Tag, Tags, Credit, authored, stored, feedback, accepted, tolerance, option, Weight, Gap, Question;
var init_questions = __esmMin((() => {
	init_bounded_list();
	init_limits();
	init_primitives();
	init_themes();
	FormattedText = v.pipe(v.string(), v.maxLength(ANSWER_TEXT_CHARACTERS));
	PlainText = v.pipe(v.string(), v.maxLength(ANSWER_TEXT_CHARACTERS));
	parts = (item) => /* @__PURE__ */ boundedList(item, 100);
	transcript = { transcript: v.optional(FormattedText) };
	transcriptRule = { transcriptShown: v.optional(v.boolean()) };
	StudentPassage = v.object({
		passageId: Id,
		text: FormattedText,
		...transcript
	});
	Passage = v.object({
		...StudentPassage.entries,
		...transcriptRule
	});
	common = {
		questionId: Id,
		text: FormattedText,
		points: Points
	};
	shown = {
		...common,
		passage: v.optional(StudentPassage),
		...transcript
	};
	Left = v.object({
		leftId: PartId,
		text: FormattedText
	});
	Right = v.object({
		rightId: PartId,
		text: FormattedText
	});
	Item = v.object({
		itemId: PartId,
		text: FormattedText
	});
	Share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
	Area = v.pipe(v.object({
		shape: v.picklist(["rectangle", "ellipse"]),
		left: Share,
		top: Share,
		width: Share,
		height: Share
	}), v.check(({ left, top, width, height }) => left + width <= 1 + 1e-9 && top + height <= 1 + 1e-9, "Область выходит за край картинки"));
	area = { area: v.optional(Area) };
	Reuse = v.optional(v.boolean());
	OpenInput = v.picklist([
		"line",
		"number",
		"text"
	]);
	TypedInput = v.picklist(["line", "number"]);
	fileRules = {
		maxBytes: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(FILE_BYTES)),
		accept: /* @__PURE__ */ boundedList(v.pipe(v.string(), v.maxLength(100)), 20),
		/** Absent: one. */
		maxFiles: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10)))
	};
	StudentQuestion = v.variant("kind", [
		v.object({
			...shown,
			kind: v.literal("open"),
			input: OpenInput
		}),
		v.object({
			...shown,
			kind: v.literal("variant"),
			multiple: v.boolean(),
			options: parts(v.object({
				optionId: PartId,
				text: FormattedText,
				...area
			}))
		}),
		v.object({
			...shown,
			kind: v.literal("compliance"),
			left: parts(Left),
			right: parts(Right),
			reuse: Reuse
		}),
		v.object({
			...shown,
			kind: v.literal("ordering"),
			items: parts(Item)
		}),
		v.object({
			...shown,
			kind: v.literal("gaps"),
			gaps: parts(v.variant("input", [v.object({
				gapId: GapId,
				input: TypedInput
			}), v.object({
				gapId: GapId,
				input: v.literal("choice"),
				options: parts(v.object({
					optionId: PartId,
					text: PlainText
				}))
			})]))
		}),
		v.object({
			...shown,
			kind: v.literal("file"),
			...fileRules
		})
	]);
	ImportSource = v.pipe(v.string(), v.maxLength(100));
	Origin = v.variant("kind", [
		v.object({
			kind: v.literal("bank"),
			entryId: Id,
			seed: v.optional(v.pipe(v.string(), v.maxLength(100)))
		}),
		v.object({
			kind: v.literal("template"),
			templateId: Id,
			/** The draw of the template: the same seed and number always make the same question. */
			seed: v.pipe(v.string(), v.maxLength(100)),
			number: v.pipe(v.number(), v.integer(), v.minValue(0))
		}),
		v.object({ kind: v.literal("ai") }),
		v.object({
			kind: v.literal("import"),
			format: v.pipe(v.string(), v.maxLength(30)),
			source: v.optional(ImportSource)
		})
	]);
	QuestionTopic = v.pipe(v.string(), v.trim(), v.maxLength(200, "Тема не длиннее 200 символов"));
	Tag = v.pipe(v.string(), v.trim(), v.nonEmpty("Пустая метка"), v.maxLength(50, `Метка не длиннее 50 символов`));
	Tags = /* @__PURE__ */ boundedList(Tag, 20, `Не больше 20 меток`);
	Credit = v.picklist(["everybody", "nobody"]);
	authored = {
		credit: v.optional(Credit),
		...transcriptRule,
		/** Shown after the answer, and only when correct answers may be seen. */
		explanation: v.optional(FormattedText),
		/** A short name for lists; the default is the beginning of the text. */
		title: v.optional(v.pipe(v.string(), v.maxLength(200, `Название не длиннее 200 символов`))),
		topic: v.optional(QuestionTopic),
		difficulty: v.optional(Difficulty),
		tags: v.optional(Tags),
		/** Shared by alternatives, which are adjacent: each attempt has one of them. */
		variantOf: v.optional(Id),
		origin: v.optional(Origin)
	};
	stored = {
		...common,
		passage: v.optional(Passage),
		...transcript,
		...authored
	};
	feedback = { feedback: v.optional(FormattedText) };
	accepted = parts(v.object({
		text: PlainText,
		share: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
		/** Replaces the question's tolerance. */
		tolerance: v.optional(v.pipe(v.number(), v.minValue(0))),
		...feedback
	}));
	tolerance = v.optional(v.pipe(v.number(), v.minValue(0)), 0);
	option = {
		optionId: PartId,
		text: FormattedText,
		isRight: v.boolean(),
		...feedback
	};
	Weight = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 1);
	Gap = v.variant("input", [v.object({
		gapId: GapId,
		weight: Weight,
		input: TypedInput,
		accepted,
		tolerance
	}), v.object({
		gapId: GapId,
		weight: Weight,
		input: v.literal("choice"),
		options: parts(v.object({
			...option,
			text: PlainText
		}))
	})]);
	Question = v.variant("kind", [
		v.object({
			...stored,
			kind: v.literal("open"),
			input: OpenInput,
			/** Empty: graded by hand. */
			accepted,
			tolerance
		}),
		v.object({
			...stored,
			kind: v.literal("variant"),
			multiple: v.boolean(),
			shuffle: v.optional(v.boolean(), false),
			/** For several right options: `partial` is max(0, (right − wrong) / number of right). */
			scoring: v.optional(v.picklist(["partial", "allOrNothing"]), "partial"),
			options: parts(v.object({
				...option,
				...area
			}))
		}),
		v.object({
			...stored,
			kind: v.literal("compliance"),
			shuffle: v.optional(v.boolean(), true),
			left: parts(Left),
			right: parts(Right),
			reuse: Reuse,
			pairs: parts(v.object({
				leftId: PartId,
				rightId: PartId
			}))
		}),
		v.object({
			...stored,
			kind: v.literal("ordering"),
			items: parts(Item)
		}),
		v.object({
			...stored,
			kind: v.literal("gaps"),
			gaps: parts(Gap)
		}),
		v.object({
			...stored,
			kind: v.literal("file"),
			...fileRules
		})
	]);
}));
// ../../tmp/exam-room-release-2nlq5S/contract/passing.ts
var Started, Receipt, byAttempt, startAttempt$1, saveAnswer, finishAttempt, getSavedAnswers, UploadState, byFile, uploadChunk, getUpload;
var init_passing = __esmMin((() => {
	init_answers$6();
	init_headers();
	init_limits();
	init_primitives();
	init_questions();
	init_route();
	Started = v.object({
		userTestId: Id,
		testId: Id,
		title: v.string(),
		/** Of the questions. */
		language: v.optional(v.string()),
		attemptNumber: v.number(),
		attemptsCount: v.number(),
		stream: Id,
		epoch: v.number(),
		leftTestTime: Duration,
		startedAt: IsoTime,
		deadline: IsoTime,
		/** Answers written in time count when they arrive by then. */
		countsUntil: IsoTime,
		serverTime: IsoTime,
		/** Until when the sign-in is valid: a start extends it beyond the deadline. */
		expiresAt: IsoTime,
		totalQuestions: v.number(),
		questions: v.array(StudentQuestion)
	});
	Receipt = v.object({
		operationId: Id,
		stream: Id,
		epoch: v.number(),
		sequence: v.nullable(v.number()),
		outcome: v.picklist([
			"stored",
			"superseded",
			"held"
		]),
		receivedLate: v.boolean(),
		/** As the device reported; null when its age is unknown. */
		writtenAt: v.nullable(IsoTime),
		receivedAt: IsoTime,
		/** Opaque; still genuine after a restore of the server. */
		seal: v.pipe(v.string(), v.minLength(1))
	});
	byAttempt = v.object({ id: Id });
	startAttempt$1 = /* @__PURE__ */ route({
		name: "startAttempt",
		summary: "Start a test, go on with its running attempt, or take it over. `id` is the test.",
		method: "POST",
		path: "/api/TestPassing/{id}/start",
		access: "signedIn",
		ownership: "testReader",
		params: v.object({ id: Id }),
		headers: StartHeaders,
		bodyType: "none",
		reply: Started,
		errors: [
			"NOT_FOUND",
			"RUNNING_ELSEWHERE",
			"TOO_MANY_TAKE_OVERS",
			"NO_ATTEMPTS_LEFT",
			"NOT_OPEN_YET",
			"TEST_CLOSED",
			"TEST_EMPTY",
			"ATTEMPT_NOT_RUNNING",
			"OPERATION_REUSED"
		]
	});
	saveAnswer = /* @__PURE__ */ route({
		name: "saveAnswer",
		summary: "One answer to one question of an attempt",
		method: "POST",
		path: "/api/TestPassing/{id}/answer",
		access: "signedIn",
		ownership: "attemptOwner",
		params: byAttempt,
		headers: OperationHeaders,
		body: Answer,
		reply: Receipt,
		errors: [
			"NOT_FOUND",
			"GONE",
			"SEQUENCE_TAKEN",
			"OPERATION_REUSED",
			"INVALID_ANSWER",
			"UNKNOWN_QUESTION",
			"TOO_MANY_ANSWERS"
		]
	});
	finishAttempt = /* @__PURE__ */ route({
		name: "finishAttempt",
		summary: "Finish an attempt; the barrier of its stream",
		method: "POST",
		path: "/api/TestPassing/{id}/finish",
		access: "signedIn",
		ownership: "attemptOwner",
		params: byAttempt,
		headers: FinishHeaders,
		bodyType: "none",
		reply: Receipt,
		errors: [
			"NOT_FOUND",
			"GONE",
			"INCOMPLETE",
			"DEADLINE_MOVED",
			"SEQUENCE_TAKEN",
			"OPERATION_REUSED",
			"TOO_MANY_ANSWERS"
		]
	});
	getSavedAnswers = /* @__PURE__ */ route({
		name: "getSavedAnswers",
		summary: "Answers of an attempt that count",
		method: "GET",
		path: "/api/TestPassing/{id}/answers",
		access: "signedIn",
		ownership: "attemptReader",
		params: byAttempt,
		headers: AttemptHeaders,
		reply: SavedAnswers,
		errors: ["NOT_FOUND", "GONE"]
	});
	UploadState = v.object({
		fileId: Id,
		received: v.number(),
		size: v.number(),
		complete: v.boolean()
	});
	byFile = v.object({
		id: Id,
		fileId: Id
	});
	uploadChunk = /* @__PURE__ */ route({
		name: "uploadChunk",
		summary: "Bytes of a file answer from `offset`; the file is complete when its checksum agrees",
		method: "PUT",
		path: "/api/TestPassing/{id}/files/{fileId}",
		access: "signedIn",
		ownership: "attemptOwner",
		params: byFile,
		query: v.object({
			offset: NonNegativeInteger,
			size: v.pipe(NonNegativeInteger, v.maxValue(FILE_BYTES, "Файл больше 10 МБ")),
			sha256: v.pipe(v.string(), v.maxLength(64), v.regex(/^[0-9a-f]{64}$/)),
			name: v.pipe(v.string(), v.minLength(1), v.maxLength(300)),
			mimeType: v.pipe(v.string(), v.maxLength(200)),
			questionId: Id
		}),
		headers: AttemptHeaders,
		bodyType: "bytes",
		reply: UploadState,
		errors: [
			"NOT_FOUND",
			"GONE",
			"CHUNK_OUT_OF_PLACE",
			"CHECKSUM_MISMATCH",
			"FILE_REFUSED",
			"TOO_MANY_FILES",
			"STORAGE_FULL"
		]
	});
	getUpload = /* @__PURE__ */ route({
		name: "getUpload",
		summary: "How much of a file answer has arrived",
		method: "GET",
		path: "/api/TestPassing/{id}/files/{fileId}",
		access: "signedIn",
		ownership: "attemptOwner",
		params: byFile,
		headers: AttemptHeaders,
		reply: UploadState,
		errors: ["NOT_FOUND", "GONE"]
	});
}));
// ../../tmp/exam-room-release-2nlq5S/src/storage/rows.ts
/** Preserves unknown fields, so that an older page never strips those of a newer worker. */
function row(entries) {
	return v.looseObject(entries);
}
/** The key of a row, as its store defines it. */
function keyOf$1(store, value) {
	const path = STORES[store].keyPath;
	const fields = value;
	if (typeof path === "string") return fields[path];
	return path.map((name) => fields[name]);
}
var Milliseconds, Count, Sequence, SessionRow, ClockRow, StartRow, DeviceRow, StreamRow, AttemptRow, ContentRow, OperationState, OperationRow, FileRow, Bytes, FileBytesRow, LeaseRow, BrokenRow, EncryptedRow, DeviceKeyRow, STORES;
var init_rows = __esmMin((() => {
	init_answers$6();
	init_auth();
	init_passing();
	init_questions();
	Milliseconds = v.number();
	Count = v.pipe(v.number(), v.integer(), v.minValue(0));
	Sequence = v.pipe(v.number(), v.integer(), v.minValue(1));
	SessionRow = row({
		key: v.literal("current"),
		token: v.string(),
		/** `user.userId`. */
		owner: v.string(),
		user: User,
		/** ISO time. */
		expiresAt: v.string()
	});
	ClockRow = row({
		key: v.literal("clock"),
		kind: v.literal("clock"),
		/** Incremented when the wall clock was found changed: ages across eras are unknown. */
		era: Count,
		/** Server time minus wall clock; null until the first reply. */
		offset: v.nullable(v.number()),
		/** Round trip of the reply that gave the offset, and the wall clock at it. */
		offsetRtt: v.number(),
		offsetAt: Milliseconds,
		/** Latest wall clock seen in this era. */
		lastWall: Milliseconds,
		/** Latest X-Server-Time seen. */
		seenServerTime: v.nullable(Milliseconds),
		/** Server time that has passed for certain: the last reply's, plus what monotonic clocks counted since. */
		leastServerTime: v.nullable(Milliseconds)
	});
	StartRow = row({
		key: v.string(),
		kind: v.literal("start"),
		owner: v.string(),
		testId: v.string(),
		idempotencyKey: v.string(),
		stream: v.string(),
		takeOver: v.nullable(v.string())
	});
	DeviceRow = v.variant("kind", [
		ClockRow,
		StartRow,
		row({
			key: v.literal("installation"),
			kind: v.literal("installation"),
			id: v.string()
		}),
		row({
			key: v.literal("server"),
			kind: v.literal("server"),
			epoch: v.number()
		})
	]);
	StreamRow = row({
		stream: v.string(),
		epoch: v.number(),
		nextSequence: Sequence,
		/** Sequences that the server misses and that can no longer be sent. */
		notHere: v.array(Sequence),
		/** Uploads that the server misses and that can no longer be sent. */
		filesNotHere: v.array(v.string())
	});
	AttemptRow = row({
		attemptId: v.string(),
		owner: v.string(),
		testId: v.string(),
		title: v.string(),
		/** Of the questions; absent: that of the app. */
		language: v.optional(v.string()),
		attemptNumber: v.number(),
		attemptsCount: v.number(),
		totalQuestions: v.number(),
		/** The stream this device writes to; also the last of `streams`. */
		stream: v.string(),
		streams: v.array(StreamRow),
		/** Server time, milliseconds. */
		startedAt: Milliseconds,
		deadline: Milliseconds,
		countsUntil: Milliseconds,
		/** `finishing`: a finish waits on the device; `finished`: its receipt came. */
		state: v.picklist([
			"running",
			"finishing",
			"finished"
		]),
		finishedAt: v.nullable(Milliseconds),
		takenOver: v.boolean(),
		/** The server replied that the attempt was deleted (410). */
		gone: v.boolean(),
		/** Question ids marked for review. */
		marks: v.array(v.string()),
		lastQuestionId: v.nullable(v.string())
	});
	ContentRow = row({
		attemptId: v.string(),
		questions: v.array(StudentQuestion),
		/** Last known answers of the server; null: never fetched. */
		saved: v.nullable(SavedAnswers)
	});
	OperationState = v.picklist([
		"waiting",
		"acknowledged",
		"folded",
		"setAside",
		"dropped"
	]);
	OperationRow = row({
		operationId: v.string(),
		owner: v.string(),
		attemptId: v.string(),
		stream: v.string(),
		epoch: v.number(),
		sequence: Sequence,
		/** Sequences abandoned after SEQUENCE_TAKEN. */
		formerSequences: v.array(Sequence),
		kind: v.picklist(["answer", "finish"]),
		questionId: v.nullable(v.string()),
		answer: v.nullable(Answer),
		fileId: v.nullable(v.string()),
		finishReason: v.nullable(v.picklist(["student", "deadline"])),
		/** Era and wall clock of the write, from which the age is computed. */
		writtenEra: Count,
		writtenWall: Milliseconds,
		/** The same moment in server time, for display; null while no offset was known. */
		writtenServer: v.nullable(Milliseconds),
		/** ISO time of the latest server time seen when it was written. */
		seenServerTime: v.nullable(v.string()),
		state: OperationState,
		/** Sending has begun at least once: from then on it is never folded. */
		sent: v.boolean(),
		/** Failures while other calls succeeded. */
		failures: Count,
		/** Failed too often: retried every two minutes and does not block the finish. */
		poisoned: v.boolean(),
		foldedInto: v.nullable(v.string()),
		refusal: v.nullable(row({
			status: v.number(),
			code: v.string(),
			message: v.string()
		})),
		/** The last receipt; a waiting operation that has one is resent with it. */
		receipt: v.nullable(Receipt),
		/** Server time of the receipt. */
		acknowledgedAt: v.nullable(Milliseconds),
		/** X-Server-Epoch under which it was acknowledged. */
		serverEpoch: v.nullable(v.number())
	});
	FileRow = row({
		fileId: v.string(),
		owner: v.string(),
		attemptId: v.string(),
		stream: v.string(),
		questionId: v.string(),
		operationId: v.string(),
		name: v.string(),
		size: Count,
		mimeType: v.string(),
		sha256: v.string(),
		/** `unchecked`: the upload state is uncertain and is read from the server first. */
		state: v.picklist([
			"unchecked",
			"uploading",
			"complete",
			"setAside"
		]),
		/** Bytes that the server has, as far as known. */
		received: Count,
		/** The server requested it again: it is sent whatever the state of its answer. */
		wanted: v.boolean(),
		/** Number of checksum mismatches. */
		mismatches: Count,
		refusal: v.nullable(row({
			status: v.number(),
			code: v.string(),
			message: v.string()
		}))
	});
	Bytes = v.custom((value) => Object.prototype.toString.call(value) === "[object ArrayBuffer]");
	FileBytesRow = row({
		fileId: v.string(),
		part: Count,
		bytes: Bytes
	});
	LeaseRow = row({
		name: v.string(),
		holder: v.string(),
		/** Wall clock of the device. */
		expiresAt: Milliseconds
	});
	BrokenRow = row({
		id: v.string(),
		store: v.string(),
		original: v.unknown(),
		issue: v.string()
	});
	EncryptedRow = row({
		id: v.string(),
		owner: v.string(),
		/** An attempt with all its rows but bytes; one part of a file; a row that could not be read. */
		kind: v.picklist([
			"attempt",
			"bytes",
			"broken"
		]),
		/** Of an attempt: the files that it names. */
		fileIds: v.array(v.string()),
		/** Of bytes: their file, and which part of it. */
		fileId: v.nullable(v.string()),
		part: Count,
		/** Whether it contains unsent operations. */
		waits: v.boolean(),
		/** Server time from which it may be deleted; null: not before its owner signs in. */
		outlivedAt: v.nullable(Milliseconds),
		iv: Bytes,
		cipher: Bytes
	});
	DeviceKeyRow = row({
		owner: v.string(),
		key: v.custom((value) => Object.prototype.toString.call(value) === "[object CryptoKey]"),
		/** Changes with each sign-in: work under an earlier one stops. */
		signIn: v.string()
	});
	STORES = {
		session: {
			schema: SessionRow,
			keyPath: "key",
			indexes: {}
		},
		device: {
			schema: DeviceRow,
			keyPath: "key",
			indexes: {}
		},
		attempts: {
			schema: AttemptRow,
			keyPath: "attemptId",
			indexes: { owner: "owner" }
		},
		contents: {
			schema: ContentRow,
			keyPath: "attemptId",
			indexes: {}
		},
		operations: {
			schema: OperationRow,
			keyPath: "operationId",
			indexes: {
				attempt: "attemptId",
				ownerState: ["owner", "state"],
				state: "state",
				foldedInto: "foldedInto"
			}
		},
		files: {
			schema: FileRow,
			keyPath: "fileId",
			indexes: {
				attempt: "attemptId",
				owner: "owner"
			}
		},
		fileBytes: {
			schema: FileBytesRow,
			keyPath: ["fileId", "part"],
			indexes: { file: "fileId" }
		},
		leases: {
			schema: LeaseRow,
			keyPath: "name",
			indexes: {}
		},
		broken: {
			schema: BrokenRow,
			keyPath: "id",
			indexes: {}
		},
		encrypted: {
			schema: EncryptedRow,
			keyPath: "id",
			indexes: {
				kind: "kind",
				ownerKind: ["owner", "kind"],
				file: "fileId"
			}
		},
		deviceKeys: {
			schema: DeviceKeyRow,
			keyPath: "owner",
			indexes: {}
		}
	};
}));
// ../../tmp/exam-room-release-2nlq5S/src/storage/memory.ts
function fieldsAt(path, row) {
	const fields = row;
	return typeof path === "string" ? fields[path] : path.map((name) => fields[name]);
}
/** IndexedDB's key order within one store, whose keys have the same number and types of parts. */
function compareKeys(a, b) {
	const others = partsOf$1(b);
	for (const [index, part] of partsOf$1(a).entries()) {
		const other = others[index];
		if (part < other) return -1;
		if (part > other) return 1;
	}
	return 0;
}
function transactionOver$1(tables, allowed) {
	const table = (store) => {
		const found = tables.get(store);
		if (!found || !allowed.includes(store)) throw new Error(`store ${store} is not in this transaction`);
		return found;
	};
	return {
		get: async (store, key) => {
			const row = table(store).get(text(key));
			return row ? structuredClone(row) : null;
		},
		all: async (store, index, value) => {
			const rows = [...table(store).values()];
			const indexes = STORES[store].indexes;
			const path = index === void 0 ? void 0 : indexes[index];
			const wanted = value === void 0 ? void 0 : text(value);
			return rows.filter((row) => path === void 0 || text(fieldsAt(path, row)) === wanted).sort((a, b) => compareKeys(keyOf$1(store, a), keyOf$1(store, b))).map((row) => structuredClone(row));
		},
		put: async (store, row) => {
			table(store).set(text(keyOf$1(store, row)), structuredClone(row));
		},
		delete: async (store, key) => {
			table(store).delete(text(key));
		}
	};
}
/**
* Storage in this page's memory: emergency mode when IndexedDB cannot be opened, and the fallback for
* answers that do not fit. Transactions are serialized; a thrown error rolls its transaction back.
*/
function createMemoryStorage(options = {}) {
	let tables = new Map(Object.keys(STORES).map((name) => [name, /* @__PURE__ */ new Map()]));
	let queue = Promise.resolve();
	async function inTurn(run) {
		const next = queue.then(run);
		queue = next.catch(() => void 0);
		return next;
	}
	return {
		durable: options.durable ?? false,
		read: (stores, run) => inTurn(() => run(transactionOver$1(tables, stores))),
		write: (stores, run) => inTurn(async () => {
			const copy = new Map([...tables].map(([name, table]) => [name, new Map(table)]));
			const result = await run(transactionOver$1(copy, stores));
			tables = copy;
			return result;
		}),
		close: () => void 0
	};
}
var text, partsOf$1;
var init_memory = __esmMin((() => {
	init_rows();
	text = (key) => JSON.stringify(key);
	partsOf$1 = (key) => typeof key === "string" ? [key] : key;
}));
// ../../tmp/exam-room-release-2nlq5S/src/storage/cleared-rows.ts
/** Whether rows that were there before are gone. */
function lacks(fresh, last) {
	const ids = new Set(fresh.operations.map(({ operationId }) => operationId));
	return last.content !== null && fresh.content === null || last.operations.some(({ operationId }) => !ids.has(operationId));
}
/** Rows that are there are newer: another tab has written them. */
async function putMissing(tx, row, { operations, files, content }) {
	if (!await tx.get("attempts", row.attemptId)) await tx.put("attempts", row);
	if (content && !await tx.get("contents", row.attemptId)) await tx.put("contents", content);
	for (const one of operations) if (!await tx.get("operations", one.operationId)) await tx.put("operations", one);
	for (const one of files) if (!await tx.get("files", one.fileId)) await tx.put("files", one);
}
var init_cleared_rows = __esmMin((() => {}));
// ../../tmp/exam-room-release-2nlq5S/src/storage/layered.ts
function createLayeredStorage(device, options) {
	const { memory = createMemoryStorage(), log, freeSpace, onChange } = options;
	const { isOwner = () => false, onCleared = () => void 0 } = options;
	const unsaved = /* @__PURE__ */ new Set();
	const copies = /* @__PURE__ */ new Set();
	/** Last read rows, used when the device cannot be read. */
	const lastAttempts = /* @__PURE__ */ new Map();
	const lastRecords = /* @__PURE__ */ new Map();
	/** Serializes the moves from memory to the device. */
	let moving = Promise.resolve();
	let silent = false;
	/** Null: the device does not answer. */
	async function readDevice(stores, read) {
		try {
			const found = await device.read(stores, read);
			const isBack = silent;
			silent = false;
			if (isBack) onChange(null);
			return found;
		} catch (error) {
			ignoreStorageFailure(error);
			silent = true;
			return null;
		}
	}
	async function withMemory(stored, stores, read) {
		if (copies.size === 0) return [...stored];
		const rows = [...stored, ...await memory.read(stores, read)];
		return [...new Map(rows.map((row) => [identity(row), row])).values()];
	}
	/** The stored attempt; the one in memory when the device has none or cannot be read. */
	async function readOne(attemptId) {
		try {
			const row = await device.read(["attempts"], (tx) => tx.get("attempts", attemptId));
			if (row) lastAttempts.set(attemptId, row);
			if (row) return row;
			const last = lastAttempts.get(attemptId);
			if (last && isCleared(last)) {
				await recover(last);
				return last;
			}
		} catch (error) {
			ignoreStorageFailure(error);
			return lastAttempts.get(attemptId) ?? null;
		}
		return memory.read(["attempts"], (tx) => tx.get("attempts", attemptId));
	}
	/** Whether rows of the attempt that are gone were cleared: only a sign-out or its age removes them otherwise. */
	const isCleared = ({ owner, state }) => state !== "finished" && isOwner(owner);
	const recovering = /* @__PURE__ */ new Map();
	/** Writes what this page knows of a cleared attempt, to memory while the device cannot store it. */
	function recover(row) {
		const { attemptId } = row;
		const records = lastRecords.get(attemptId) ?? NO_RECORDS;
		const write = async () => {
			log({
				event: "rowsCleared",
				attemptId,
				detail: String(records.operations.length)
			});
			const { saved } = await writeEither(ATTEMPT_STORES, (tx) => putMissing(tx, row, records));
			if (!saved && device.durable) {
				copies.add(attemptId);
				for (const { operationId } of records.operations) unsaved.add(operationId);
			}
			onCleared(attemptId);
		};
		const running = recovering.get(attemptId) ?? write().finally(() => recovering.delete(attemptId));
		recovering.set(attemptId, running);
		return running;
	}
	async function joinIn(tx, row) {
		const copy = await tx.get("attempts", row.attemptId);
		if (!copy) return row;
		return mergeAttempts(row, copy, hasFinish$1(copy, await tx.all("operations", "attempt", row.attemptId)));
	}
	const joinCopy = (row) => memory.read(["attempts", "operations"], (tx) => joinIn(tx, row));
	/** Null: the device cannot store it, even after test caches were freed. */
	async function writeFreeing(write) {
		for (const isSecond of [false, true]) try {
			return { value: await write() };
		} catch (error) {
			ignoreStorageFailure(error);
			log({
				event: "storageFailed",
				detail: error.kind
			});
			if (isSecond || error.kind !== "quota" || !freeSpace) return null;
			await freeSpace().catch(() => void 0);
		}
		return null;
	}
	async function writeEither(stores, run, attemptId) {
		const stored = await writeFreeing(() => device.write(stores, run));
		if (stored) return {
			value: stored.value,
			saved: device.durable
		};
		const row = attemptId === void 0 ? null : await readOne(attemptId);
		if (attemptId !== void 0) copies.add(attemptId);
		return {
			value: await memory.write(stores, async (tx) => {
				if (row) await tx.put("attempts", await joinIn(tx, row));
				return run(tx);
			}),
			saved: false
		};
	}
	/** Moves the attempt, its sequences and its operations without files in one transaction; null: nothing to move. */
	async function moveAttempt(attemptId) {
		const { row, content, operations } = await memory.read(ATTEMPT_STORES, async (tx) => ({
			row: await tx.get("attempts", attemptId),
			content: await tx.get("contents", attemptId),
			operations: await tx.all("operations", "attempt", attemptId)
		}));
		if (!row) return null;
		const light = operations.filter((one) => one.fileId === null);
		const merged = await device.write(ATTEMPT_STORES, async (tx) => {
			const stored = await tx.get("attempts", attemptId);
			const joined = stored ? mergeAttempts(stored, row, hasFinish$1(row, operations)) : row;
			await tx.put("attempts", joined);
			if (content && !await tx.get("contents", attemptId)) await tx.put("contents", content);
			for (const one of light) await tx.put("operations", one);
			return joined;
		});
		await memory.write(ATTEMPT_STORES, async (tx) => {
			for (const one of light) await tx.delete("operations", one.operationId);
			await tx.put("attempts", merged);
		});
		for (const one of light) unsaved.delete(one.operationId);
		return operations.filter((one) => one.fileId !== null);
	}
	async function moveFile(operation) {
		const { operationId, attemptId } = operation;
		const { files, bytes } = await memory.read(ATTEMPT_STORES, async (tx) => {
			const own = (await tx.all("files", "attempt", attemptId)).filter((one) => one.operationId === operationId);
			const parts = own.map(({ fileId }) => tx.all("fileBytes", "file", fileId));
			return {
				files: own,
				bytes: (await Promise.all(parts)).flat()
			};
		});
		await device.write(ATTEMPT_STORES, async (tx) => {
			await tx.put("operations", operation);
			for (const file of files) await tx.put("files", file);
			for (const part of bytes) await tx.put("fileBytes", part);
		});
		await memory.write(ATTEMPT_STORES, async (tx) => {
			await tx.delete("operations", operationId);
			for (const { fileId } of files) await tx.delete("files", fileId);
			for (const part of bytes) await tx.delete("fileBytes", [part.fileId, part.part]);
		});
		unsaved.delete(operationId);
	}
	/** Deletes the copy of an attempt when no operation in memory needs it. */
	async function dropCopy(attemptId) {
		if (await memory.write(ATTEMPT_STORES, async (tx) => {
			if ((await tx.all("operations", "attempt", attemptId)).length > 0) return false;
			await tx.delete("attempts", attemptId);
			await tx.delete("contents", attemptId);
			return true;
		})) copies.delete(attemptId);
	}
	async function moveAll(attemptId) {
		let isMoved = false;
		try {
			const heavy = await moveAttempt(attemptId);
			isMoved = true;
			for (const one of heavy ?? []) await moveFile(one);
			await dropCopy(attemptId);
		} catch (error) {
			ignoreStorageFailure(error);
		}
		if (isMoved) onChange(attemptId);
		return isMoved;
	}
	function storeAttempt(attemptId) {
		const move = moving.then(() => copies.has(attemptId) ? moveAll(attemptId) : true);
		moving = move.catch(() => void 0);
		return move;
	}
	return {
		durable: device.durable,
		read: (stores, run) => device.read(stores, run),
		write: (stores, run) => device.write(stores, run),
		close: () => device.close(),
		readAll: async (stores, read) => withMemory(await readDevice(stores, read) ?? [], stores, read),
		readEvery: async (stores, read) => withMemory(await device.read(stores, read), stores, read),
		readEither: async (stores, read) => await device.read(stores, read).catch(() => null) ?? await memory.read(stores, read),
		readAttempt: async (attemptId) => {
			const row = await readOne(attemptId);
			return row && copies.has(attemptId) ? joinCopy(row) : row;
		},
		readAttempts: async (owner) => {
			const read = (tx) => tx.all("attempts", "owner", owner);
			const rows = await device.read(["attempts"], read).catch(() => [...lastAttempts.values()].filter((row) => row.owner === owner));
			const all = new Map(rows.map((row) => [row.attemptId, row]));
			for (const last of lastAttempts.values()) {
				if (last.owner !== owner || all.has(last.attemptId) || !isCleared(last)) continue;
				await recover(last);
				all.set(last.attemptId, last);
			}
			for (const copy of await memory.read(["attempts"], read)) {
				const stored = all.get(copy.attemptId);
				all.set(copy.attemptId, stored ? await joinCopy(stored) : copy);
			}
			return [...all.values()];
		},
		readRecords: async (attemptId) => {
			const operationsOf = (tx) => tx.all("operations", "attempt", attemptId);
			const filesOf = (tx) => tx.all("files", "attempt", attemptId);
			const contentOf = (tx) => tx.get("contents", attemptId);
			const read = () => readDevice([
				"operations",
				"files",
				"contents"
			], async (tx) => ({
				operations: await operationsOf(tx),
				files: await filesOf(tx),
				content: await contentOf(tx)
			}));
			const last = lastRecords.get(attemptId) ?? NO_RECORDS;
			const row = lastAttempts.get(attemptId);
			let fresh = await read();
			if (fresh && row && isCleared(row) && lacks(fresh, last)) {
				await recover(row);
				fresh = await read();
			}
			if (fresh && !(copies.has(attemptId) && lacks(fresh, last))) lastRecords.set(attemptId, fresh);
			const stored = fresh ?? last;
			return {
				operations: await withMemory(stored.operations, ["operations"], operationsOf),
				files: await withMemory(stored.files, ["files"], filesOf),
				content: stored.content ?? await memory.read(["contents"], contentOf)
			};
		},
		readBroken: () => device.read(["broken"], (tx) => tx.all("broken")).catch(() => []),
		layerOf: (operationId) => unsaved.has(operationId) ? memory : device,
		writeEither,
		writeNew: async (attemptId, stores, run) => {
			if (copies.has(attemptId) && !await storeAttempt(attemptId)) return {
				value: await memory.write(stores, run),
				saved: false
			};
			return writeEither(stores, run, attemptId);
		},
		writeBoth: async (attemptId, stores, run) => {
			if (copies.has(attemptId)) await memory.write(stores, run);
			await device.write(stores, run).catch((error) => {
				ignoreStorageFailure(error);
				log({
					event: "storageFailed",
					attemptId,
					detail: error.kind
				});
			});
		},
		remove: async (store, key) => {
			for (const layer of [device, memory]) await layer.write([store], (tx) => tx.delete(store, key)).catch(ignoreStorageFailure);
		},
		noteUnsaved: (operationId) => void (device.durable && unsaved.add(operationId)),
		unsaved,
		copies,
		hasUnsavedOf: async (owner) => (await memory.read(["attempts"], (tx) => tx.all("attempts", "owner", owner))).length > 0,
		store: async () => {
			for (const attemptId of copies) await storeAttempt(attemptId);
		},
		storeAttempt,
		isSilent: () => silent,
		rememberAttempt: (row) => void lastAttempts.set(row.attemptId, row),
		forgetRecords: () => lastRecords.clear()
	};
}
var NO_RECORDS, identity;
var init_layered = __esmMin((() => {
	init_memory();
	init_cleared_rows();
	init_merge();
	init_storage();
	NO_RECORDS = {
		operations: [],
		files: [],
		content: null
	};
	identity = (row) => `${row.operationId}/${row.fileId ?? ""}`;
}));
// ../../tmp/exam-room-release-2nlq5S/src/outbox/chunk-size.ts
/** Aims at `TARGET_MS`, at most doubles, and stays below the failed size while it is on hold. */
function afterChunk(size, sent, elapsedMs) {
	const fitting = sent * TARGET_MS / Math.max(1, elapsedMs);
	const isTail = sent < size.bytes;
	const wanted = Math.min(fitting, 2 * sent);
	const bytes = isTail && fitting >= sent ? size.bytes : wanted;
	if (size.failed === null || sent >= size.failed) return {
		bytes: clamp(bytes),
		failed: null,
		holdLeft: 0,
		hold: MIN_HOLD
	};
	const holdLeft = Math.max(0, size.holdLeft - 1);
	const ceiling = holdLeft > 0 ? size.failed * 3 / 4 : FILE_CHUNK_BYTES;
	return {
		...size,
		bytes: clamp(Math.min(bytes, ceiling)),
		holdLeft
	};
}
/** A quarter of what timed out: the time limit is twice the target, and the line may be slower still. */
function afterTimeOut(size, sent) {
	const hold = size.failed !== null && size.holdLeft === 0 ? Math.min(MAX_HOLD, size.hold * 2) : size.hold;
	return {
		bytes: clamp(sent / 4),
		failed: sent,
		holdLeft: hold,
		hold
	};
}
var TARGET_MS, MIN_BYTES, MIN_HOLD, MAX_HOLD, FIRST_CHUNK, clamp, isTooSlow;
var init_chunk_size = __esmMin((() => {
	init_limits();
	TARGET_MS = 2500;
	MIN_BYTES = 4096;
	MIN_HOLD = 8;
	MAX_HOLD = 64;
	FIRST_CHUNK = {
		bytes: 16384,
		failed: null,
		holdLeft: 0,
		hold: MIN_HOLD
	};
	clamp = (bytes) => Math.floor(Math.min(FILE_CHUNK_BYTES, Math.max(MIN_BYTES, bytes)));
	isTooSlow = (timedOut, elapsedMs) => timedOut || elapsedMs >= TARGET_MS;
}));
// ../../tmp/exam-room-release-2nlq5S/src/outbox/clock.ts
/**
* The wall clock went back. What was put forward before is put right: the time comes back with it, but never
* before what has passed for certain, and never beyond what was shown.
*/
function wentBack(clock, shown, wall) {
	if (clock.offset === null || shown === null) return nextEra(clock, null, wall);
	const byWall = wall + clock.offset;
	return nextEra(clock, Math.min(shown, Math.max(byWall, clock.leastServerTime ?? shown)), wall);
}
/** The timeline is interrupted: ages across it are unknown. Server time continues from its last value. */
function nextEra(clock, serverNow, wall) {
	const offset = serverNow === null ? null : serverNow - wall;
	return {
		...clock,
		era: clock.era + 1,
		offset,
		offsetRtt: JUMP_MS,
		offsetAt: wall,
		lastWall: wall
	};
}
/** Detects across reloads that the wall clock is behind a value already seen. */
function seeWall(clock, wall) {
	if (clock.lastWall - wall <= SET_BACK_MS) return {
		...clock,
		lastWall: Math.max(clock.lastWall, wall)
	};
	return wentBack(clock, clock.offset === null ? null : clock.lastWall + clock.offset, wall);
}
/**
* Detects within a page that the wall clock was set: it advanced less than the monotonic one, or much more
* though the device cannot have slept. The monotonic clock may stop in sleep; then the wall clock is believed
* until it goes back or a reply arrives.
*/
function seeElapsed(clock, from, to, mayHaveSlept = true) {
	const elapsed = Math.max(0, to.monotone - from.monotone);
	const least = clock.leastServerTime;
	const passed = {
		...clock,
		leastServerTime: least === null ? null : least + elapsed
	};
	const jump = to.wall - from.wall - elapsed;
	const shown = clock.offset === null ? null : from.wall + clock.offset + elapsed;
	if (jump < -2e3) return wentBack(passed, shown, to.wall);
	return jump > JUMP_MS && !mayHaveSlept && shown !== null ? nextEra(passed, shown, to.wall) : seeWall(passed, to.wall);
}
/** Uncertainty of the offset at a moment: round trip plus drift since the measurement; infinite without one. */
function agedRtt(clock, wall) {
	if (clock.offset === null) return Infinity;
	return clock.offsetRtt + Math.max(0, wall - clock.offsetAt) * DRIFT;
}
/** Applies a reply's time: a jump starts a new era, otherwise the smallest round trip wins. */
function seeReply(clock, sample) {
	const offset = sample.serverTime - sample.receivedWall + sample.rttMs / 2;
	const seenServerTime = Math.max(clock.seenServerTime ?? sample.serverTime, sample.serverTime);
	const leastServerTime = sample.serverTime;
	const measured = {
		offset,
		offsetRtt: sample.rttMs,
		offsetAt: sample.receivedWall,
		seenServerTime,
		leastServerTime
	};
	if (clock.offset !== null && Math.abs(offset - clock.offset) > JUMP_MS) return {
		...clock,
		...measured,
		era: clock.era + 1,
		lastWall: sample.receivedWall
	};
	const lastWall = Math.max(clock.lastWall, sample.receivedWall);
	return sample.rttMs <= agedRtt(clock, sample.receivedWall) ? {
		...clock,
		...measured,
		lastWall
	} : {
		...clock,
		seenServerTime,
		leastServerTime,
		lastWall
	};
}
/** Whether one page had a reply after the other one; the reply may have been too slow to measure by. */
function isSeenLater(page, other) {
	const [at, otherAt] = [newestSeen(page), newestSeen(other)];
	return at > otherAt || at === otherAt && measuredAt(page) > measuredAt(other);
}
/** Whether much of the time that a clock shows passed by the wall clock alone. */
function isDoubtful(clock) {
	const least = clock.leastServerTime;
	return least !== null && clock.offset !== null && clock.lastWall + clock.offset - least > JUMP_MS;
}
/** Whether this page measured the time, and the stored clock measured it earlier or only carried it over a jump. */
function isOwnNewer(own, stored) {
	if (measuredAt(stored) === -Infinity) return !isDoubtful(own) && isSeenLater(own, stored);
	return newestSeen(own) > newestSeen(stored) && isSplit(own, stored);
}
/** Merges this page's clock, as of now, with the one another page stored. */
function mergeClocks(own, stored) {
	const seen = Math.max(own.seenServerTime ?? 0, stored.seenServerTime ?? 0);
	const seenServerTime = seen === 0 ? null : seen;
	if (own.era > stored.era) return {
		...own,
		seenServerTime
	};
	const era = stored.era + 1;
	if (isSetBackSince(own, stored)) return {
		...own,
		era,
		seenServerTime
	};
	if (stored.era > own.era) return isOwnNewer(own, stored) ? {
		...own,
		era,
		seenServerTime
	} : {
		...stored,
		seenServerTime
	};
	if (isSplit(own, stored)) return {
		...isSeenLater(stored, own) ? stored : own,
		era,
		seenServerTime
	};
	const at = Math.max(own.offsetAt, stored.offsetAt);
	const newer = agedRtt(own, at) <= agedRtt(stored, at) ? own : stored;
	const leastServerTime = Math.max(own.leastServerTime ?? 0, stored.leastServerTime ?? 0) || null;
	const lastWall = Math.max(own.lastWall, stored.lastWall);
	return {
		...newer,
		lastWall,
		seenServerTime,
		leastServerTime
	};
}
/** Milliseconds since the write, or `unknown` when the timeline was interrupted in between. */
function ageOf(clock, written, wall) {
	if (written.era !== clock.era) return "unknown";
	const age = Math.round(wall - written.wall);
	return age < -2e3 ? "unknown" : Math.max(0, age);
}
/** @param onSet called when the wall clock was found changed, or a reply showed it */
function createOutboxClock(device, onSet = () => void 0) {
	let state = NEW_CLOCK;
	let from = {
		wall: device.wall(),
		monotone: device.monotone()
	};
	let shown = {
		era: 0,
		at: 0
	};
	function now() {
		const to = {
			wall: device.wall(),
			monotone: device.monotone()
		};
		change(seeElapsed(state, from, to, device.mayHaveSlept?.() ?? true));
		from = to;
		return state;
	}
	function change(next) {
		const isSet = next.era !== state.era;
		state = next;
		if (isSet) onSet();
	}
	return {
		now,
		wall: () => device.wall(),
		serverNow: () => {
			const { era, offset } = now();
			if (offset === null) return null;
			const at = Math.round(device.wall() + offset);
			shown = {
				era,
				at: shown.era === era ? Math.max(shown.at, at) : at
			};
			return shown.at;
		},
		observe: (sample) => {
			now();
			change(seeReply(state, sample));
		},
		adopt: (stored) => {
			const wall = device.wall();
			state = seeWall(state.lastWall === 0 ? stored : mergeClocks(now(), stored), wall);
			from = {
				wall,
				monotone: device.monotone()
			};
		},
		age: (written) => ageOf(now(), written, device.wall())
	};
}
var JUMP_MS, SET_BACK_MS, DRIFT, NEW_CLOCK, measuredAt, isSplit, isSetBackSince, newestSeen;
var init_clock = __esmMin((() => {
	JUMP_MS = 3e4;
	SET_BACK_MS = 2e3;
	DRIFT = 1e-4;
	NEW_CLOCK = {
		key: "clock",
		kind: "clock",
		era: 0,
		offset: null,
		offsetRtt: 0,
		offsetAt: 0,
		lastWall: 0,
		seenServerTime: null,
		leastServerTime: null
	};
	measuredAt = ({ offset, offsetRtt, offsetAt }) => offset === null || offsetRtt >= JUMP_MS ? -Infinity : offsetAt + offset;
	isSplit = (a, b) => a.offset !== null && b.offset !== null && Math.abs(a.offset - b.offset) > JUMP_MS;
	isSetBackSince = (own, stored) => own.offset !== null && stored.lastWall - own.lastWall > SET_BACK_MS;
	newestSeen = ({ seenServerTime }) => seenServerTime ?? -Infinity;
}));
// ../../tmp/exam-room-release-2nlq5S/src/outbox/core.ts
function newRuntime(env) {
	return {
		sending: /* @__PURE__ */ new Set(),
		highest: /* @__PURE__ */ new Map(),
		backoffs: createBackoffs(() => env.clock.monotone(), env.random),
		successes: 0,
		seenSuccesses: /* @__PURE__ */ new Map(),
		resendCounts: /* @__PURE__ */ new Map(),
		triedBeforeFinish: /* @__PURE__ */ new Set(),
		timeOuts: /* @__PURE__ */ new Map(),
		fileFailures: /* @__PURE__ */ new Map(),
		secondTab: /* @__PURE__ */ new Set(),
		tabLocks: /* @__PURE__ */ new Map(),
		pause: null,
		reachability: "unknown",
		session: null,
		serverEpoch: null,
		chunkSize: FIRST_CHUNK,
		clockSavedAt: null,
		probed: false,
		unreadable: 0,
		unstoredKey: null
	};
}
/** @param memory the second layer of the storage */
function createCore(env, memory) {
	const runtime = newRuntime(env);
	const log = (event) => env.log?.(event);
	const clock = createOutboxClock(env.clock, () => {
		runtime.clockSavedAt = null;
		queueMicrotask(() => notify({ kind: "clockSet" }));
	});
	const storage = createLayeredStorage(env.storage, {
		memory,
		log,
		freeSpace: env.freeSpace,
		isOwner: env.isOwner,
		onCleared: (attemptId) => {
			notify({
				kind: "cleared",
				attemptId
			});
			core.emit({
				kind: "changed",
				attemptId
			});
		},
		onChange: (attemptId) => core.emit({
			kind: "changed",
			attemptId
		})
	});
	const listeners = /* @__PURE__ */ new Set();
	let loading = null;
	const notify = (event) => {
		for (const listener of listeners) listener(event);
	};
	async function load() {
		try {
			const rows = await storage.read(["device"], (tx) => tx.all("device"));
			for (const row of rows) {
				if (row.kind === "clock") clock.adopt(row);
				if (row.kind === "server") runtime.serverEpoch = Math.max(row.epoch, runtime.serverEpoch ?? 0);
			}
		} catch (error) {
			ignoreStorageFailure(error);
			loading = null;
			log({
				event: "deviceUnreadable",
				detail: error.kind
			});
		}
	}
	const core = {
		env,
		storage,
		clock,
		runtime,
		log,
		ready: () => {
			loading ??= load();
			return loading;
		},
		notify,
		emit: (event) => {
			notify(event);
			if (event.kind === "changed") env.channel?.post({
				kind: "changed",
				attemptId: event.attemptId
			});
			if (event.kind === "finished") env.channel?.post({
				kind: "finished",
				attemptId: event.attemptId
			});
		},
		subscribe: (listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		session: async () => {
			try {
				const former = runtime.session;
				runtime.session = await storage.read(["session"], (tx) => tx.get("session", "current"));
				if (former && !runtime.session && env.isOwner?.(former.owner) === true) notify({
					kind: "cleared",
					attemptId: null
				});
			} catch (error) {
				ignoreStorageFailure(error);
			}
			return runtime.session;
		},
		observeTime: ({ serverTime, receivedWall, rttMs }) => {
			if (serverTime !== null) clock.observe({
				serverTime,
				receivedWall,
				rttMs
			});
		},
		adoptStoredClock: async () => {
			const stored = await storage.read(["device"], (tx) => tx.get("device", "clock")).catch((error) => {
				ignoreStorageFailure(error);
				return null;
			});
			if (stored?.kind === "clock") clock.adopt(stored);
		},
		saveClock: async () => {
			const now = env.clock.monotone();
			const last = runtime.clockSavedAt;
			if (last !== null && now - last < SAVE_CLOCK_EVERY_MS) return;
			runtime.clockSavedAt = now;
			await core.ready();
			await storage.write(["device"], (tx) => putClock(tx, core)).catch((error) => {
				ignoreStorageFailure(error);
			});
		}
	};
	return core;
}
/** Merges the page's clock with the stored one, inside a transaction over `device`. */
async function putClock(tx, core) {
	const stored = await tx.get("device", "clock");
	if (stored?.kind === "clock") core.clock.adopt(stored);
	await tx.put("device", core.clock.now());
}
var SAVE_CLOCK_EVERY_MS;
var init_core = __esmMin((() => {
	init_layered();
	init_storage();
	init_chunk_size();
	init_plan();
	init_clock();
	SAVE_CLOCK_EVERY_MS = 15e3;
}));
// ../../tmp/exam-room-release-2nlq5S/src/outbox/types.ts
var OutboxRefusal;
var init_types = __esmMin((() => {
	OutboxRefusal = class extends Error {
		reason;
		/** In Russian, when the reason alone does not say what to do. */
		explanation;
		constructor(reason, explanation = null) {
			super(`The outbox refused: ${reason}`);
			this.name = "OutboxRefusal";
			this.reason = reason;
			this.explanation = explanation;
		}
	};
}));
// ../../tmp/exam-room-release-2nlq5S/src/outbox/transition.ts
/** The row after the event; null when the event does not concern a row in this state. */
function transition(row, event) {
	const isWaiting = row.state === "waiting";
	switch (event.kind) {
		case "receipt": {
			if (row.state === "acknowledged") return null;
			const { receipt, serverEpoch } = event;
			const acknowledgedAt = Date.parse(receipt.receivedAt);
			return {
				...row,
				...FRESH,
				state: "acknowledged",
				receipt,
				acknowledgedAt,
				serverEpoch
			};
		}
		case "staleReceipt": return row.state === "acknowledged" ? null : {
			...row,
			receipt: event.receipt
		};
		case "unfold": return row.state === "folded" ? {
			...row,
			state: "waiting",
			foldedInto: null
		} : null;
		case "resend": return isWaiting || row.state === "acknowledged" ? {
			...row,
			state: "waiting",
			sent: true
		} : null;
		case "retry": return row.state === "setAside" || row.poisoned ? {
			...row,
			...FRESH,
			state: "waiting"
		} : null;
		case "progress": return row.poisoned || row.failures > 0 ? {
			...row,
			poisoned: false,
			failures: 0
		} : null;
		default: return isWaiting ? whileWaiting(row, event) : null;
	}
}
function whileWaiting(row, event) {
	switch (event.kind) {
		case "fold": return row.sent || row.receipt ? null : {
			...row,
			state: "folded",
			foldedInto: event.into
		};
		case "foldTaken": return {
			...row,
			state: "folded",
			foldedInto: event.into
		};
		case "claim": return {
			...row,
			sent: true
		};
		case "refuse": return {
			...row,
			state: "setAside",
			refusal: event.refusal
		};
		case "fail": {
			const failures = row.failures + 1;
			const isPoisoned = row.kind === "answer" && failures >= 8;
			return {
				...row,
				failures,
				poisoned: row.poisoned || isPoisoned
			};
		}
		case "renumber": {
			const formerSequences = [...row.formerSequences, row.sequence];
			return {
				...row,
				sequence: event.sequence,
				formerSequences
			};
		}
		case "drop": return {
			...row,
			state: "dropped"
		};
	}
}
/** The attempt after an event of one of its operations; the same object when nothing changes. */
function attemptAfter(attempt, operation, event) {
	switch (event.kind) {
		case "receipt": return afterReceipt(attempt, operation, event.receipt);
		case "refuse":
			if (event.refusal.code === "GONE") return {
				...attempt,
				gone: true
			};
			return attempt.state === "finishing" && operation.kind === "finish" ? {
				...attempt,
				state: "running"
			} : attempt;
		case "retry": return attempt.state === "running" && attempt.stream === operation.stream && operation.kind === "finish" ? {
			...attempt,
			state: "finishing"
		} : attempt;
		case "drop": {
			const moved = Math.max(0, event.deadline - attempt.deadline);
			return {
				...attempt,
				state: attempt.state === "finishing" ? "running" : attempt.state,
				deadline: attempt.deadline + moved,
				countsUntil: attempt.countsUntil + moved
			};
		}
		default: return attempt;
	}
}
function afterReceipt(attempt, operation, receipt) {
	const here = {
		...attempt,
		gone: false
	};
	if (operation.kind !== "finish") return here;
	if (receipt.outcome === "superseded") return operation.stream === attempt.stream && attempt.state !== "finished" ? {
		...here,
		state: "running",
		takenOver: true
	} : here;
	return {
		...here,
		state: "finished",
		finishedAt: Date.parse(receipt.receivedAt)
	};
}
var FRESH;
var init_transition = __esmMin((() => {
	init_plan();
	FRESH = {
		failures: 0,
		poisoned: false,
		refusal: null
	};
}));
// ../../tmp/exam-room-release-2nlq5S/src/outbox/write.ts
/** @param agoMs how long ago it was, by the monotonic clock */
function positionOf(core, agoMs = 0) {
	const { era, seenServerTime } = core.clock.now();
	const server = core.clock.serverNow();
	return {
		era,
		wall: Math.floor(core.clock.wall() - agoMs),
		server: server === null ? null : Math.floor(server - agoMs),
		seen: seenServerTime === null ? null : new Date(seenServerTime).toISOString()
	};
}
function streamOf(attempt, stream) {
	return attempt.streams.find((one) => one.stream === stream) ?? null;
}
/** The attempt with one of its streams replaced. */
function withStream(attempt, changed) {
	const streams = attempt.streams.map((one) => one.stream === changed.stream ? changed : one);
	return {
		...attempt,
		streams
	};
}
/** Allocates the next sequence of a stream, above any that this page allocated in memory. */
function takeSequence(core, attempt, stream) {
	const row = streamOf(attempt, stream);
	if (!row) throw new Error(`attempt ${attempt.attemptId} has no stream ${stream}`);
	const inMemory = core.runtime.highest.get(streamKey(attempt.attemptId, stream)) ?? 0;
	const sequence = Math.max(row.nextSequence, inMemory + 1);
	return [withStream(attempt, {
		...row,
		nextSequence: sequence + 1
	}), sequence];
}
/** Called once the transaction that allocated a sequence has completed. */
function noteSequence(core, operation) {
	const key = streamKey(operation.attemptId, operation.stream);
	const { highest } = core.runtime;
	highest.set(key, Math.max(highest.get(key) ?? 0, operation.sequence));
}
function assertWritable(attempt, wanted) {
	if (attempt.takenOver) throw new OutboxRefusal("takenOver");
	if (!(attempt.state === "running" || attempt.state === "finishing" && !wanted.answer)) throw new OutboxRefusal("finished");
}
/** Folds a waiting, never sent, older answer to the same question; its row stays in case the newer is refused. */
async function foldOlder(tx, owner, newer) {
	for (const one of await tx.all("operations", "ownerState", [owner, "waiting"])) {
		const folded = one.attemptId === newer.attemptId && one.stream === newer.stream && one.questionId === newer.questionId ? transition(one, {
			kind: "fold",
			into: newer.operationId
		}) : null;
		if (folded) await tx.put("operations", folded);
	}
}
/** A dropped finish is declared by the next answer, so that the server sees no gap until the next finish. */
async function foldDropped(tx, newer) {
	for (const one of await tx.all("operations", "attempt", newer.attemptId)) {
		if (!(one.state === "dropped" && one.stream === newer.stream) || one.foldedInto !== null) continue;
		await tx.put("operations", {
			...one,
			foldedInto: newer.operationId
		});
	}
}
/** @param requestedAt by the monotonic clock: text typed while the transaction waited is newer */
async function enqueueIn(tx, core, wanted, requestedAt) {
	const already = await tx.get("operations", wanted.operationId);
	if (already) return already;
	const attempt = await tx.get("attempts", wanted.attemptId);
	if (!attempt) throw new OutboxRefusal("unknownAttempt");
	const finish = (await tx.all("operations", "ownerState", [attempt.owner, "waiting"])).find((one) => one.kind === "finish" && one.attemptId === attempt.attemptId && one.stream === attempt.stream);
	if (finish && wanted.answer === null) return finish;
	if (finish) throw new OutboxRefusal("finished");
	assertWritable(attempt, wanted);
	await putClock(tx, core);
	const writtenAt = positionOf(core, core.env.clock.monotone() - requestedAt);
	const { stream } = attempt;
	return appendIn(tx, core, attempt, wanted, {
		stream,
		writtenAt
	});
}
/** Stores an operation with the next sequence of the stream; needs a transaction over `WRITE_STORES`. */
async function appendIn(tx, core, attempt, wanted, { stream, writtenAt }) {
	const [counted, sequence] = takeSequence(core, attempt, stream);
	const { answer } = wanted;
	const operation = {
		operationId: wanted.operationId,
		owner: attempt.owner,
		attemptId: attempt.attemptId,
		stream,
		epoch: streamOf(attempt, stream)?.epoch ?? 1,
		sequence,
		formerSequences: [],
		kind: answer ? "answer" : "finish",
		questionId: answer?.questionId ?? null,
		answer,
		fileId: answer?.kind === "file" ? answer.fileId : null,
		finishReason: wanted.finishReason,
		writtenEra: writtenAt.era,
		writtenWall: writtenAt.wall,
		writtenServer: writtenAt.server,
		seenServerTime: writtenAt.seen,
		state: "waiting",
		sent: false,
		failures: 0,
		poisoned: false,
		foldedInto: null,
		refusal: null,
		receipt: null,
		acknowledgedAt: null,
		serverEpoch: null
	};
	if (answer) {
		await foldOlder(tx, attempt.owner, operation);
		await foldDropped(tx, operation);
	}
	await tx.put("operations", operation);
	await tx.put("attempts", answer ? counted : {
		...counted,
		state: "finishing"
	});
	for (const file of wanted.files) await putFile(tx, file, operation);
	return operation;
}
async function putFile(tx, file, operation) {
	const { owner, stream, operationId } = operation;
	await tx.put("files", {
		...file.row,
		owner,
		stream,
		operationId
	});
	for (const [part, bytes] of file.parts.entries()) await tx.put("fileBytes", {
		fileId: file.row.fileId,
		part,
		bytes
	});
}
/** Called once the transaction that stored an operation has completed. */
function noteWritten(core, operation, saved, isNew = true) {
	noteSequence(core, operation);
	if (!saved) core.storage.noteUnsaved(operation.operationId);
	if (!isNew) return;
	const { attemptId } = operation;
	core.emit({
		kind: "changed",
		attemptId
	});
	core.emit({
		kind: "written",
		attemptId
	});
}
async function write(core, wanted) {
	await core.ready();
	const requestedAt = core.env.clock.monotone();
	const store = () => core.storage.writeNew(wanted.attemptId, WRITE_STORES, (tx) => enqueueIn(tx, core, wanted, requestedAt));
	const { value: operation, saved } = await store().catch(async (error) => {
		if (!(error instanceof OutboxRefusal) || error.reason !== "unknownAttempt") throw error;
		if (!await core.storage.readAttempt(wanted.attemptId)) throw error;
		return store();
	});
	const { operationId, stream, sequence } = operation;
	noteWritten(core, operation, saved, operationId === wanted.operationId);
	return {
		operationId,
		stream,
		sequence,
		saved
	};
}
/** Stores one answer. Throws `OutboxRefusal`. */
function writeAnswer(core, attemptId, answer, files = []) {
	const parsed = v.parse(Answer, answer);
	return write(core, {
		operationId: core.env.newId(),
		attemptId,
		answer: parsed,
		finishReason: null,
		files
	});
}
/** Stores the finish; returns one that already waits. Throws `OutboxRefusal`. */
function writeFinish(core, attemptId, finishReason) {
	return write(core, {
		operationId: core.env.newId(),
		attemptId,
		answer: null,
		finishReason,
		files: []
	});
}
/** A pending finish is enough; a refused one is retried only by the user. */
async function hasFinish(core, attempt) {
	return (await core.storage.readAll(["operations"], (tx) => tx.all("operations", "attempt", attempt.attemptId))).some((one) => one.kind === "finish" && one.stream === attempt.stream && one.state !== "dropped");
}
/** Queues the finish of attempts whose deadline passed while the app was closed or suspended. */
async function queueMissedFinishes(core, owner) {
	const isMissed = (row) => {
		const now = core.clock.serverNow();
		return row.state !== "finished" && !row.takenOver && !row.gone && now !== null && now >= row.deadline + FINISH_DELAY_MS;
	};
	const missed = (await attemptsOf(core, owner)).filter(isMissed);
	if (missed.length > 0) await core.adoptStoredClock();
	for (const row of missed) {
		if (!isMissed(row) || await hasFinish(core, row)) continue;
		try {
			await writeFinish(core, row.attemptId, "deadline");
		} catch (error) {
			if (!(error instanceof OutboxRefusal)) throw error;
		}
	}
}
var WRITE_STORES, streamKey, FINISH_DELAY_MS;
var init_write = __esmMin((() => {
	init_answers$6();
	init_attempts();
	init_core();
	init_types();
	init_transition();
	WRITE_STORES = [
		"attempts",
		"operations",
		"device",
		"files",
		"fileBytes"
	];
	streamKey = (attemptId, stream) => `${attemptId}/${stream}`;
	FINISH_DELAY_MS = 5e3;
}));
// ../../tmp/exam-room-release-2nlq5S/contract/health.ts
init_write();
init_primitives();
init_route();
var health = /* @__PURE__ */ route({
	name: "health",
	summary: "The process is alive; also the client’s probe of the network",
	method: "GET",
	path: "/healthz",
	access: "anyone",
	ownership: "none",
	reply: v.object({
		status: v.literal("ok"),
		product: v.literal("exam-room"),
		serverTime: IsoTime,
		/** The school's time zone, in which every time is set and shown. An IANA name. */
		timeZone: v.optional(v.string(), "Europe/Moscow"),
		/** `open`, `code` (of a class) or `closed`: how accounts are registered. */
		registration: v.optional(v.string(), "open")
	})
});
v.object({ status: v.literal("ready") });
// ../../tmp/exam-room-release-2nlq5S/contract/paging.ts
init_limits();
init_primitives();
/** What lists are asked with. */
var SearchQuery = v.pipe(v.string(), v.trim(), v.maxLength(200, "Слишком длинный запрос"));
/** A part of a list: `page` from 1. */
var paging = {
	page: v.optional(PositiveInteger, 1),
	pageSize: v.optional(v.pipe(PositiveInteger, v.maxValue(100)), 20)
};
// ../../tmp/exam-room-release-2nlq5S/contract/tests.ts
init_headers();
init_primitives();
init_questions();
init_route();
init_themes();
/** Status of a test for one student, decided by the server. */
var TestStatus = v.picklist([
	"scheduled",
	"available",
	"inProgress",
	"pendingReview",
	"passed",
	"overdue",
	"closed"
]);
/** Lifecycle of a test, shown to those who may edit it. */
var TestLifecycle = v.picklist([
	"draft",
	"active",
	"archived"
]);
/** When a part of the result may be seen by the student. */
var DisclosureTime = v.picklist([
	"atOnce",
	"afterClose",
	"never"
]);
var Visibility = v.object({
	ownAnswers: DisclosureTime,
	points: DisclosureTime,
	correctAnswers: DisclosureTime
});
v.picklist([
	"best",
	"last",
	"average"
]);
/** A running attempt of the caller. */
var Running = v.object({
	userTestId: Id,
	deadline: IsoTime,
	leftTestTime: Duration
});
/** What every list and overview shows of a test: `owner` is a name, `theme` the key of `subject`, Russian like `difficulty`. */
var testSummary = {
	id: Id,
	owner: v.string(),
	title: v.string(),
	theme: v.string(),
	subject: v.string(),
	difficulty: v.string(),
	startDate: v.nullable(IsoTime),
	endDate: v.nullable(IsoTime),
	totalPoints: TotalPoints,
	/** Null: nothing to show yet, or points may not be seen. */
	currentPoints: v.nullable(TotalPoints),
	status: v.union([TestStatus, TestLifecycle]),
	running: v.nullable(Running)
};
v.object(testSummary);
v.object({
	...testSummary,
	/** When the newest of these attempts ended. */
	finishedAt: IsoTime,
	/** Ended attempts. */
	attempts: v.number()
});
v.object({
	...testSummary,
	description: v.string(),
	topic: v.string(),
	/** Pass time with the caller's personal extra time. */
	duration: Duration,
	attemptsCount: v.number(),
	leftAttempts: v.number(),
	totalQuestions: v.number(),
	/** How long after the deadline answers written in time still count. */
	lateWindow: Duration,
	visibility: Visibility,
	/** The caller's newest ended attempt. */
	lastAttemptId: v.nullable(Id)
});
v.object({
	id: Id,
	version: v.number(),
	name: v.string(),
	description: v.string(),
	theme: v.string(),
	difficulty: v.string(),
	topic: v.string(),
	/** Of the questions. */
	language: v.optional(v.string()),
	attemptsCount: v.number(),
	startTestTime: v.nullable(IsoTime),
	endTestTime: v.nullable(IsoTime),
	passTestTime: Duration,
	maxPoints: TotalPoints,
	questions: v.union([v.array(Question), v.array(StudentQuestion)])
});
v.object({ id: Id });
var TestOrder = v.picklist([
	"new",
	"name",
	"deadline",
	"points"
]);
/** Query of the lists of tests; unknown parameters are ignored, wrong values are a 400. */
var listQuery = {
	searchQuery: v.optional(SearchQuery, ""),
	sortOrder: v.optional(TestOrder, "new"),
	...paging
};
v.object({
	...listQuery,
	subject: v.optional(Theme),
	difficulty: v.optional(Difficulty),
	status: v.optional(TestStatus)
});
var getPassing = /* @__PURE__ */ route({
	name: "getPassing",
	summary: "State and time left of an attempt",
	method: "GET",
	path: "/api/Test/userTest/{attemptId}",
	access: "signedIn",
	ownership: "attemptReader",
	params: v.object({ attemptId: Id }),
	headers: AttemptHeaders,
	reply: v.object({
		userTestId: Id,
		testId: Id,
		title: v.string(),
		attemptNumber: v.number(),
		attemptsCount: v.number(),
		state: AttemptState,
		leftTestTime: Duration,
		startedAt: IsoTime,
		deadline: IsoTime,
		/** Answers written in time count when they arrive by then. */
		countsUntil: IsoTime,
		finishedAt: v.nullable(IsoTime),
		serverTime: IsoTime
	}),
	errors: ["NOT_FOUND", "GONE"]
});
// ../../tmp/exam-room-release-2nlq5S/src/outbox/transport.ts
init_headers();
init_limits();
init_passing();
function createTransport(caller) {
	async function send(route, input, token, headers, timeoutMs = HTTP_TIMEOUT_MS) {
		try {
			const { reply, facts } = await caller(route, input, {
				token,
				headers,
				timeoutMs
			});
			return {
				ok: true,
				value: reply,
				facts
			};
		} catch (error) {
			if (error instanceof ApiFailure) return {
				ok: false,
				failure: error
			};
			throw error;
		}
	}
	return {
		start: (token, testId, headers) => send(startAttempt$1, { params: { id: testId } }, token, headers),
		answer: (token, attemptId, body, headers, timeoutMs) => send(saveAnswer, {
			params: { id: attemptId },
			body
		}, token, headers, timeoutMs),
		finish: (token, attemptId, headers, timeoutMs) => send(finishAttempt, { params: { id: attemptId } }, token, headers, timeoutMs),
		uploadChunk: (token, chunk, headers) => {
			const { attemptId, fileId, bytes, ...query } = chunk;
			return send(uploadChunk, {
				params: {
					id: attemptId,
					fileId
				},
				query,
				bytes
			}, token, headers);
		},
		getUpload: (token, attemptId, fileId, headers) => send(getUpload, { params: {
			id: attemptId,
			fileId
		} }, token, headers),
		savedAnswers: (token, attemptId, headers) => send(getSavedAnswers, { params: { id: attemptId } }, token, headers),
		passing: (token, attemptId, headers) => send(getPassing, { params: { attemptId } }, token, headers),
		probe: () => send(health, {}, null, {})
	};
}
/** Maximum length of a list in one header; the server reads at most 8,000 characters. */
var LIST_CHARACTERS = 7500;
function listHeader(name, sequences) {
	if (sequences.length === 0) return {};
	let listed = [...sequences].sort((a, b) => a - b).slice(-GAP_LIST_NUMBERS);
	let text = formatSequences(listed);
	while (text.length > LIST_CHARACTERS) {
		listed = listed.slice(Math.ceil(listed.length / 4));
		text = formatSequences(listed);
	}
	return { [name]: text };
}
/** Header values are ASCII. */
function receiptHeader(receipt) {
	if (!receipt) return {};
	const text = JSON.stringify(receipt).replace(/[^\u0020-\u007e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
	return { [HEADER.receipt]: text };
}
function operationHeaders(operation, metadata) {
	return {
		[HEADER.idempotencyKey]: operation.operationId,
		[HEADER.stream]: operation.stream,
		[HEADER.epoch]: String(operation.epoch),
		[HEADER.sequence]: String(operation.sequence),
		[HEADER.age]: String(metadata.age),
		[HEADER.head]: String(metadata.head),
		...operation.seenServerTime === null ? {} : { [HEADER.seenServerTime]: operation.seenServerTime },
		...listHeader(HEADER.folded, metadata.folded),
		...receiptHeader(operation.receipt)
	};
}
function finishHeaders(operation, metadata, undeliverable) {
	return {
		...operationHeaders(operation, metadata),
		[HEADER.finishReason]: operation.finishReason ?? "student",
		...listHeader(HEADER.setAside, undeliverable.sequences),
		...undeliverable.files.length === 0 ? {} : { [HEADER.filesSetAside]: undeliverable.files.join(",") }
	};
}
/** For the other calls of a running attempt. */
function attemptHeaders(stream, head) {
	return {
		[HEADER.stream]: stream,
		[HEADER.head]: String(head)
	};
}
var FINAL = /* @__PURE__ */ new Set([
	400,
	403,
	404,
	410,
	413,
	415,
	422
]);
/** Only an error in our own format can mean anything other than a retry. */
function classify(failure) {
	if (failure.kind !== "refused") return retry(failure, unansweredCause(failure));
	const status = failure.status ?? 0;
	const code = failure.code ?? "";
	if (status === 401) return {
		kind: "pause",
		pause: code === "ACCOUNT_BLOCKED" ? "blocked" : "signIn"
	};
	if (status === 426) return {
		kind: "pause",
		pause: "update"
	};
	if (status === 429) return retry(failure, "busy");
	if (code === "SEQUENCE_TAKEN") return { kind: "renumber" };
	if (code === "CHECKSUM_MISMATCH") return { kind: "mismatch" };
	if (status === 409) return conflict(failure) ?? retry(failure, "server");
	if (FINAL.has(status)) return {
		kind: "setAside",
		status,
		code,
		message: failure.message
	};
	return retry(failure, "server");
}
/** Request and gateway time-outs: a proxy gave up waiting for the body, or for the reply. */
var TIME_OUTS = /* @__PURE__ */ new Set([408, 504]);
var isTimeOut = (failure) => failure.timedOut || TIME_OUTS.has(failure.status ?? 0);
/** A time-out may concern this call only; no connection or a foreign page concerns all calls. */
function unansweredCause(failure) {
	if (failure.kind === "malformed" || isTimeOut(failure)) return "server";
	return failure.kind === "notOurs" && (failure.status ?? 0) >= 500 ? "server" : "network";
}
function retry(failure, cause) {
	return {
		kind: "retry",
		cause,
		timedOut: isTimeOut(failure),
		waitMs: failure.retryAfterMs ?? null
	};
}
function conflict(failure) {
	const { code, details } = failure;
	if (code === "INCOMPLETE") {
		const parsed = v.safeParse(IncompleteDetails, details);
		return parsed.success ? {
			kind: "incomplete",
			...parsed.output
		} : null;
	}
	if (code === "DEADLINE_MOVED") {
		const parsed = v.safeParse(DeadlineMovedDetails, details);
		const deadline = parsed.success ? Date.parse(parsed.output.deadline) : NaN;
		return Number.isNaN(deadline) ? null : {
			kind: "deadlineMoved",
			deadline
		};
	}
	if (code === "CHUNK_OUT_OF_PLACE") {
		const parsed = v.safeParse(ChunkDetails, details);
		return parsed.success ? {
			kind: "outOfPlace",
			received: parsed.output.received
		} : null;
	}
	return null;
}
/** Whether the failed call still proves that the server and its database work. */
function provesServer(failure) {
	const status = failure.status ?? 0;
	return failure.kind === "refused" && status >= 400 && status < 500 && ![
		401,
		408,
		426,
		429
	].includes(status);
}
// ../../tmp/exam-room-release-2nlq5S/src/outbox/exchange.ts
init_storage();
init_headers();
init_attempts();
init_transition();
/** Calls whose replies also carry the time, the server epoch and the active stream; starts and reports use nothing else. */
/** Any definite reply shows that the server and its database work. */
function noteSuccess(core) {
	core.runtime.successes += 1;
	const hasEndedWait = core.runtime.backoffs.serverSucceeded();
	setReachability(core, "reachable");
	if (hasEndedWait) core.notify({
		kind: "written",
		attemptId: null
	});
}
function setReachability(core, reachability) {
	if (core.runtime.reachability === reachability) return;
	core.runtime.reachability = reachability;
	core.emit({
		kind: "changed",
		attemptId: null
	});
}
/**
* The server was restored from a backup: everything acknowledged before is sent again with its receipt,
* including file bytes, for every owner (each is sent only while its owner is signed in).
*/
async function noteServerEpoch(core, epoch) {
	await core.ready();
	const { runtime } = core;
	if (epoch === null || runtime.serverEpoch !== null && epoch <= runtime.serverEpoch) return;
	try {
		await core.storage.write([
			"device",
			"operations",
			"files"
		], async (tx) => {
			const stored = await tx.get("device", "server");
			if (stored?.kind === "server" && stored.epoch >= epoch) return;
			await tx.put("device", {
				key: "server",
				kind: "server",
				epoch
			});
			const attempts = /* @__PURE__ */ new Set();
			for (const one of await tx.all("operations", "state", "acknowledged")) {
				if ((one.serverEpoch ?? 0) >= epoch) continue;
				attempts.add(one.attemptId);
				const resent = transition(one, { kind: "resend" });
				if (resent) await tx.put("operations", resent);
			}
			for (const file of await tx.all("files")) if (attempts.has(file.attemptId) && file.state === "complete") await tx.put("files", {
				...file,
				state: "unchecked",
				wanted: true
			});
		});
	} catch (error) {
		ignoreStorageFailure(error);
		return;
	}
	const former = runtime.serverEpoch;
	if (former !== null && epoch <= former) return;
	runtime.serverEpoch = epoch;
	if (former === null) return;
	core.emit({
		kind: "changed",
		attemptId: null
	});
	core.emit({
		kind: "written",
		attemptId: null
	});
}
/** Another device took the attempt over: this one only sends its remaining operations. */
async function noteActiveStream(core, sentFor, activeStream) {
	if (activeStream === null || sentFor.takenOver || sentFor.state === "finished") return;
	if (sentFor.streams.some((one) => one.stream === activeStream)) return;
	if (await core.storage.read(["operations"], async (tx) => {
		return (await tx.all("operations", "ownerState", [sentFor.owner, "waiting"])).some((one) => one.attemptId === sentFor.attemptId && one.receipt !== null);
	})) return;
	let isTakenOver = false;
	await changeAttempt(core, sentFor.attemptId, (row) => {
		isTakenOver = row.stream === sentFor.stream && !row.takenOver;
		return isTakenOver ? {
			...row,
			takenOver: true
		} : row;
	});
	if (isTakenOver) core.emit({
		kind: "takenOver",
		attemptId: sentFor.attemptId
	});
}
/** Applies the metadata of every reply: clock, server epoch and, for an attempt's call, its active stream. */
async function noteFacts(core, facts, sentFor) {
	await core.ready();
	core.observeTime(facts);
	await noteServerEpoch(core, facts.serverEpoch);
	if (sentFor) await noteActiveStream(core, sentFor, facts.activeStream).catch(ignoreStorageFailure);
	await core.saveClock();
}
/** Makes one call and applies the metadata of its reply. */
async function exchange(core, sentFor, send) {
	const sent = await send();
	const facts = sent.ok ? sent.facts : sent.failure.facts;
	if (facts) await noteFacts(core, facts, sentFor);
	if (sent.ok || provesServer(sent.failure)) noteSuccess(core);
	return sent;
}
var startKey = (owner, testId) => `start:${owner}:${testId}`;
/** This device's stream of a running attempt of the test, to continue with. */
function ownStream(attempts, testId, now) {
	return attempts.filter((row) => row.testId === testId && row.state !== "finished" && !row.takenOver && !row.gone && (now === null || now < row.deadline)).at(-1)?.stream ?? null;
}
/** The pending start of this test, or a new one; stored before the first request. */
async function pendingStart(core, owner, testId, takeOver) {
	const attempts = await attemptsOf(core, owner);
	const own = takeOver === null ? ownStream(attempts, testId, core.clock.serverNow()) : null;
	const key = startKey(owner, testId);
	const fresh = {
		key,
		kind: "start",
		owner,
		testId,
		idempotencyKey: core.env.newId(),
		stream: own ?? core.env.newId(),
		takeOver
	};
	const { value } = await core.storage.writeEither(["device"], async (tx) => {
		const known = await tx.get("device", key);
		if (known?.kind === "start" && (takeOver === null || known.takeOver === takeOver)) return known;
		await tx.put("device", fresh);
		return fresh;
	});
	return value;
}
function isDefinite(failure) {
	const status = failure.status ?? 0;
	return failure.kind === "refused" && status >= 400 && status < 500 && ![
		401,
		408,
		426,
		429
	].includes(status);
}
function refusedBy$1(failure) {
	const { status = 0, code = "", message } = failure;
	if (code === "RUNNING_ELSEWHERE") {
		const details = v.safeParse(RunningElsewhereDetails, failure.details);
		if (details.success) {
			const { userTestId, lastHeardAt } = details.output;
			return {
				kind: "runningElsewhere",
				attemptId: userTestId,
				lastHeardAt
			};
		}
	}
	return {
		kind: "refused",
		status,
		code,
		message
	};
}
/**
* Starts a test, continues its running attempt, or takes it over. The same key and stream are sent
* until a reply is definite: a lost reply never costs an attempt.
*/
async function startAttempt(core, testId, options = {}) {
	await core.ready();
	const session = await core.session();
	if (!session) return {
		kind: "refused",
		status: 401,
		code: "UNAUTHORIZED",
		message: "Войдите, чтобы продолжить"
	};
	const { owner, token } = session;
	const start = await pendingStart(core, owner, testId, options.takeOver ?? null);
	const headers = {
		[HEADER.idempotencyKey]: start.idempotencyKey,
		[HEADER.stream]: start.stream,
		...start.takeOver === null ? {} : { [HEADER.takeOver]: start.takeOver }
	};
	const sent = await exchange(core, null, () => core.env.transport.start(token, testId, headers));
	if (sent.ok) {
		const attempt = await adoptStarted(core, owner, sent.value);
		await core.storage.remove("device", start.key);
		return {
			kind: "started",
			attempt,
			started: sent.value
		};
	}
	const { failure } = sent;
	if (isDefinite(failure)) {
		await core.storage.remove("device", start.key);
		return refusedBy$1(failure);
	}
	if (failure.kind === "refused" && (failure.status === 401 || failure.status === 426)) return refusedBy$1(failure);
	const isReachable = failure.kind === "refused";
	if (!isReachable) setReachability(core, core.env.online?.() === false ? "offline" : "silent");
	return {
		kind: "unknown",
		reachable: isReachable
	};
}
/**
* Reports to the server, for each running attempt, that this device is online and how far it has
* written: the teacher sees it as «на связи» and «на устройстве». The reply carries the deadline.
* A failure is ignored: the next report repeats everything.
*/
async function reportHeads(core) {
	await core.ready();
	const session = await core.session();
	if (!session || core.runtime.pause) return;
	const now = core.clock.serverNow() ?? core.clock.wall();
	const rows = (await attemptsOf(core, session.owner)).filter((row) => row.state !== "finished" && !row.takenOver && !row.gone && now < row.countsUntil);
	for (const row of rows) {
		const { attemptId, stream } = row;
		const written = (streamOf(row, stream)?.nextSequence ?? 1) - 1;
		const head = Math.max(written, core.runtime.highest.get(streamKey(attemptId, stream)) ?? 0);
		const sent = await exchange(core, row, () => core.env.transport.passing(session.token, attemptId, attemptHeaders(stream, head)));
		if (sent.ok) await adoptDeadline(core, attemptId, sent.value);
	}
}
// ../../tmp/exam-room-release-2nlq5S/src/storage/cipher.ts
/** Encrypts what a person leaves on a device, bound to the row by additional authenticated data. */
var utf8 = (text) => new TextEncoder().encode(text);
var IV_BYTES = 12;
var subtle = () => globalThis.crypto?.subtle;
function bytesOf(base64url) {
	const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
	return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
/** A non-extractable key. Null without WebCrypto (insecure context). */
async function importDeviceKey(base64url) {
	return await subtle()?.importKey("raw", bytesOf(base64url), "AES-GCM", false, ["encrypt", "decrypt"]) ?? null;
}
var parameters = (iv, place) => ({
	name: "AES-GCM",
	iv,
	additionalData: new TextEncoder().encode(place)
});
/**
* Encrypts, then decrypts to verify, before the caller deletes the plaintext.
* @param place additional authenticated data: the ciphertext decrypts only with the same place
*/
async function encryptBytes(key, place, plain) {
	const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
	const cipher = await crypto.subtle.encrypt(parameters(iv, place), key, plain);
	const again = await decryptBytes(key, place, {
		iv: iv.buffer,
		cipher
	});
	if (!(again?.byteLength === plain.byteLength && again.every((byte, at) => byte === plain[at]))) throw new Error("a cipher does not open again");
	return {
		iv: iv.buffer,
		cipher
	};
}
/** Null: wrong key or damaged ciphertext. */
async function decryptBytes(key, place, { iv, cipher }) {
	try {
		return new Uint8Array(await crypto.subtle.decrypt(parameters(iv, place), key, cipher));
	} catch {
		return null;
	}
}
var SPECIAL = "\0special";
var BYTES = "\0bytes";
/** Values that a database stores and JSON lacks. */
function specialOf(value) {
	if (value === void 0) return ["undefined"];
	if (typeof value === "bigint") return ["bigint", String(value)];
	if (typeof value === "number" && !Number.isFinite(value)) return ["number", String(value)];
	if (value instanceof Date) return ["date", String(value.getTime())];
	return null;
}
function parseSpecial([kind, text]) {
	if (kind === "bigint") return BigInt(text ?? "");
	if (kind === "number") return Number(text);
	return kind === "date" ? new Date(Number(text)) : void 0;
}
function isPlain(value) {
	if (value === null || value instanceof ArrayBuffer || specialOf(value)) return true;
	if (typeof value === "number") return true;
	if (typeof value !== "object") return typeof value === "string" || typeof value === "boolean";
	return (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) && Object.values(value).every(isPlain);
}
function encode(value) {
	const special = specialOf(value);
	if (special) return { [SPECIAL]: special };
	if (value instanceof ArrayBuffer) return { [BYTES]: Array.from(new Uint8Array(value)) };
	if (Array.isArray(value)) return value.map(encode);
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, encode(part)]));
}
var Special = v.object({ [SPECIAL]: v.array(v.string()) });
var Coded = v.object({ [BYTES]: v.array(v.number()) });
function decode(value) {
	if (Array.isArray(value)) return value.map(decode);
	if (typeof value !== "object" || value === null) return value;
	if (v.is(Special, value)) return parseSpecial(value[SPECIAL] ?? []);
	if (v.is(Coded, value)) return Uint8Array.from(value[BYTES] ?? []).buffer;
	return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, decode(part)]));
}
/** Serializes any row; null when it would not survive the round trip. */
var toText = (value) => isPlain(value) ? JSON.stringify(encode(value)) : null;
var fromText = (text) => decode(JSON.parse(text));
// ../../tmp/exam-room-release-2nlq5S/src/outbox/encrypt.ts
init_storage();
init_attempts();
var BUNDLE_STORES = [
	"attempts",
	"contents",
	"operations",
	"files"
];
async function readBundle(tx, attemptId) {
	return {
		attempt: await tx.get("attempts", attemptId),
		content: await tx.get("contents", attemptId),
		operations: await tx.all("operations", "attempt", attemptId),
		files: await tx.all("files", "attempt", attemptId)
	};
}
/** Needs a transaction over `BUNDLE_STORES`. */
async function deleteBundle(tx, attemptId, { operations, files }) {
	for (const { operationId } of operations) await tx.delete("operations", operationId);
	for (const { fileId } of files) await tx.delete("files", fileId);
	await tx.delete("contents", attemptId);
	await tx.delete("attempts", attemptId);
}
var Shape = v.object({
	attempt: v.nullable(v.looseObject({ attemptId: v.string() })),
	content: v.nullable(v.looseObject({ attemptId: v.string() })),
	operations: v.array(v.looseObject({ operationId: v.string() })),
	files: v.array(v.looseObject({ fileId: v.string() }))
});
/** Parses only the shape: rows are restored unchanged and validated when they are read. */
function parseBundle(text) {
	return v.parse(Shape, JSON.parse(text));
}
/** Attempts to encrypt rows that are being written meanwhile. */
var MAX_ROUNDS = 5;
/** The additional authenticated data that binds a ciphertext to its row. */
var placeOf = (row) => [
	row.id,
	row.owner,
	row.kind,
	row.fileId ?? "",
	row.part
].join("/");
/** Whether the key of the starting session is still stored: a new sign-in or another tab may have replaced it. */
async function isCurrent(tx, deviceKey) {
	return (await tx.get("deviceKeys", deviceKey.owner))?.signIn === deviceKey.signIn;
}
async function encryptedRow(core, { owner, key }, description, plain) {
	const row = {
		id: core.env.newId(),
		owner,
		fileIds: [],
		fileId: null,
		part: 0,
		waits: false,
		outlivedAt: null,
		...description
	};
	return {
		...row,
		...await encryptBytes(key, placeOf(row), plain)
	};
}
async function encryptAttempt(core, deviceKey, attemptId) {
	const bundle = await core.storage.read(BUNDLE_STORES, (tx) => readBundle(tx, attemptId));
	const { attempt, operations, files } = bundle;
	const text = JSON.stringify(bundle);
	const encrypted = await encryptedRow(core, deviceKey, {
		kind: "attempt",
		fileIds: files.map(({ fileId }) => fileId),
		waits: operations.some(({ state }) => state === "waiting"),
		outlivedAt: computeRetentionEnd(attempt, operations)
	}, utf8(text));
	await core.storage.write([
		...BUNDLE_STORES,
		"encrypted",
		"deviceKeys"
	], async (tx) => {
		const now = await readBundle(tx, attemptId);
		if (JSON.stringify(now) !== text || !await isCurrent(tx, deviceKey)) return;
		await tx.put("encrypted", encrypted);
		await deleteBundle(tx, attemptId, now);
	});
}
async function encryptPart(core, deviceKey, { fileId, part, bytes }) {
	const encrypted = await encryptedRow(core, deviceKey, {
		kind: "bytes",
		fileId,
		part
	}, new Uint8Array(bytes));
	await core.storage.write([
		"fileBytes",
		"encrypted",
		"deviceKeys"
	], async (tx) => {
		if (!await tx.get("fileBytes", [fileId, part]) || !await isCurrent(tx, deviceKey)) return;
		await tx.put("encrypted", encrypted);
		await tx.delete("fileBytes", [fileId, part]);
	});
}
/** Encrypts the bytes of files that encrypted attempts name, including those of an interrupted run. */
async function encryptFiles(core, deviceKey) {
	const files = await core.storage.read(["encrypted"], (tx) => tx.all("encrypted", "ownerKind", [deviceKey.owner, "attempt"]));
	for (const fileId of files.flatMap(({ fileIds }) => fileIds)) {
		const parts = await core.storage.read(["fileBytes"], (tx) => tx.all("fileBytes", "file", fileId));
		for (const part of parts) await encryptPart(core, deviceKey, part);
	}
}
/** Whether an unreadable row may belong to this owner; a row without an owner counts as theirs. */
function mayBelong({ store, original }, owner) {
	if (store === "encrypted" || store === "deviceKeys") return false;
	return !(typeof original === "object" && original !== null && "owner" in original) || typeof original.owner !== "string" || original.owner === owner;
}
async function brokenOf(tx, owner) {
	return (await tx.all("broken")).filter((row) => mayBelong(row, owner) && toText(row) !== null);
}
async function encryptBroken(core, deviceKey) {
	for (const row of await core.storage.read(["broken"], (tx) => brokenOf(tx, deviceKey.owner))) {
		const encrypted = await encryptedRow(core, deviceKey, { kind: "broken" }, utf8(toText(row) ?? ""));
		await core.storage.write([
			"broken",
			"encrypted",
			"deviceKeys"
		], async (tx) => {
			if (!await tx.get("broken", row.id) || !await isCurrent(tx, deviceKey)) return;
			await tx.put("encrypted", encrypted);
			await tx.delete("broken", row.id);
		});
	}
}
/** Attempts with plaintext rows of this owner. */
async function attemptsInPlain(tx, owner) {
	const rows = [
		...await tx.all("attempts", "owner", owner),
		...await tx.all("files", "owner", owner),
		...(await tx.all("operations")).filter((row) => row.owner === owner)
	];
	return [...new Set(rows.map(({ attemptId }) => attemptId))];
}
var PLAIN_STORES = [
	"attempts",
	"files",
	"operations",
	"broken",
	"fileBytes",
	"encrypted"
];
async function hasPlain(tx, owner) {
	if ((await attemptsInPlain(tx, owner)).length > 0) return true;
	if ((await brokenOf(tx, owner)).length > 0) return true;
	for (const { fileIds } of await tx.all("encrypted", "ownerKind", [owner, "attempt"])) for (const fileId of fileIds) if ((await tx.all("fileBytes", "file", fileId)).length > 0) return true;
	return false;
}
/** Deletes the key with the last plaintext row. False: rows are left for the next run. */
async function dropDeviceKey(core, deviceKey) {
	const isInMemory = await core.storage.hasUnsavedOf(deviceKey.owner);
	return core.storage.write([...PLAIN_STORES, "deviceKeys"], async (tx) => {
		if (!await isCurrent(tx, deviceKey)) return true;
		if (isInMemory || await hasPlain(tx, deviceKey.owner)) return false;
		await tx.delete("deviceKeys", deviceKey.owner);
		return true;
	});
}
/** Deletes cached questions of attempts without any other row: they have no owner and no use. */
async function dropOrphans(core) {
	await core.storage.write([
		"attempts",
		"contents",
		"operations"
	], async (tx) => {
		for (const { attemptId } of await tx.all("contents")) {
			if (await tx.get("attempts", attemptId)) continue;
			if ((await tx.all("operations", "attempt", attemptId)).length === 0) await tx.delete("contents", attemptId);
		}
	});
}
/** Without a key nothing can be encrypted: delivered, finished attempts are deleted, unsent ones stay. */
async function dropDelivered(core, owner) {
	const attempts = await core.storage.read(PLAIN_STORES, (tx) => attemptsInPlain(tx, owner));
	for (const attemptId of attempts) await core.storage.write(ATTEMPT_STORES, async (tx) => {
		const { attempt, operations } = await readBundle(tx, attemptId);
		if (isOver(attempt, operations)) await deleteAttempt(tx, attemptId);
	});
}
/** A failure must not block a sign-in or sign-out: it is logged and the work is repeated next time. */
async function runLogged(core, task) {
	try {
		await task();
	} catch (error) {
		const kind = error instanceof StorageFailure ? error.kind : null;
		core.log({
			event: "encryptFailed",
			detail: kind ?? String(error)
		});
		if (kind === "quota") await core.env.freeSpace?.().catch(() => void 0);
	}
}
async function encryptOwner(core, owner) {
	const deviceKey = await core.storage.read(["deviceKeys"], (tx) => tx.get("deviceKeys", owner));
	await runLogged(core, () => dropOrphans(core));
	if (!deviceKey) return runLogged(core, () => dropDelivered(core, owner));
	for (let round = 0; round < MAX_ROUNDS; round += 1) {
		const plain = await core.storage.read(PLAIN_STORES, (tx) => attemptsInPlain(tx, owner));
		for (const attemptId of plain) await runLogged(core, () => encryptAttempt(core, deviceKey, attemptId));
		await runLogged(core, () => encryptFiles(core, deviceKey));
		await runLogged(core, () => encryptBroken(core, deviceKey));
		let isDone = false;
		await runLogged(core, async () => {
			isDone = !(await core.env.encryptElse?.(deviceKey) === false) && await dropDeviceKey(core, deviceKey);
		});
		if (isDone) return void 0;
	}
}
/** Encrypts all plaintext rows, except those of one owner if given, and deletes the keys. */
async function encryptAllBut(core, except) {
	const rows = await core.storage.read([
		"attempts",
		"files",
		"operations",
		"deviceKeys"
	], async (tx) => [
		...await tx.all("attempts"),
		...await tx.all("files"),
		...await tx.all("operations"),
		...await tx.all("deviceKeys")
	]);
	const signedIn = (await core.session())?.owner ?? null;
	for (const owner of new Set(rows.map((row) => row.owner))) if (owner !== except && owner !== signedIn) await encryptOwner(core, owner);
}
// ../../tmp/exam-room-release-2nlq5S/src/lazy/module-loader.ts
/** Chromium and Firefox name the address in the error; WebKit does not, but the built function does. */
function findAddress(error, importModule) {
	const named = /\bhttps?:\S+?\.js\b/.exec(String(error))?.[0];
	const imported = /\bimport\(\s*[`'"]([^`'"]+\.js)[`'"]/.exec(String(importModule))?.[1];
	return named ?? (imported === void 0 ? void 0 : new URL(imported, import.meta.url).href);
}
var importByAddress = (address) => import(
	/* @vite-ignore */
	address
);
/**
* Returns a function that loads a module; after a failure its next call loads it again. The browser loads it once.
* @param importModule `() => import('./module.ts')`
*/
function createModuleLoader(importModule, importAddress = importByAddress) {
	let failures = 0;
	let loaded;
	/** Firefox and WebKit remember by its address that a module failed. */
	async function importAgain(error) {
		const address = findAddress(error, importModule);
		const before = failures;
		failures += 1;
		if (before === 0 || address === void 0) throw error;
		loaded = await importAddress(`${address}?retry=${before}`);
		return loaded;
	}
	return async () => loaded ?? importModule().catch(importAgain);
}
// ../../tmp/exam-room-release-2nlq5S/src/outbox/files.ts
init_chunk_size();
init_write();
/** Files that answers name: stored in parts, uploaded in chunks, resumed where the last upload ended. */
/** Bytes are stored in parts of at most this size, so that no row is too large to copy. */
var PART_BYTES = 1048576;
/** Bytes from `from` (inclusive) to `to` (exclusive). Null: they are not on the device. */
async function bytesIn(tx, file, from, to) {
	const bytes = new Uint8Array(to - from);
	for (let part = Math.floor(from / PART_BYTES); part * PART_BYTES < to; part += 1) {
		const row = await tx.get("fileBytes", [file.fileId, part]);
		if (!row) return null;
		const start = part * PART_BYTES;
		const piece = new Uint8Array(row.bytes).subarray(Math.max(0, from - start), to - start);
		bytes.set(piece, Math.max(0, start - from));
	}
	return bytes;
}
function readBytes(storage, file, from, to) {
	return storage.read(["fileBytes"], (tx) => bytesIn(tx, file, from, to));
}
/** A whole file of this device, for display. */
async function fileBytes(core, fileId) {
	const read = async (tx) => {
		const file = await tx.get("files", fileId);
		return file && bytesIn(tx, file, 0, file.size);
	};
	return core.storage.readEither(["files", "fileBytes"], read);
}
var loadHashes = createModuleLoader(() => import("@noble/hashes/sha2.js"));
var findWebCrypto = () => globalThis.crypto?.subtle;
/** Lower-case hex of SHA-256: WebCrypto, or plain JavaScript where the context is not secure. */
async function sha256Hex(bytes) {
	const subtle = findWebCrypto();
	if (subtle) return hex(new Uint8Array(await subtle.digest("SHA-256", bytes)));
	const { sha256 } = await loadHashes();
	return hex(sha256(bytes));
}
function hex(bytes) {
	return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
/** A file is set aside after arriving damaged this many times. */
var MISMATCHES = 3;
var FILE_LOST = {
	status: 0,
	code: "FILE_LOST",
	message: "Файла больше нет на устройстве. Выберите его снова"
};
var FILE_STUCK = {
	status: 0,
	code: "FILE_STUCK",
	message: "Файл не удалось отправить"
};
var PROGRESS = { kind: "progress" };
var STUCK = {
	kind: "failed",
	verdict: {
		kind: "retry",
		cause: "server",
		timedOut: false,
		waitMs: null
	}
};
/** The stored file, if it is still needed. */
async function readCurrent(core, file, operation) {
	const now = operation && await core.storage.layerOf(operation.operationId).read(["operations"], (tx) => tx.get("operations", operation.operationId));
	return core.storage.layerOf(file.operationId).read(["files", "attempts"], async (tx) => {
		const row = await tx.get("files", file.fileId);
		const attempt = await tx.get("attempts", file.attemptId);
		const isUnderWay = row?.state === "unchecked" || row?.state === "uploading";
		const isNeeded = row?.wanted === true || now?.state === "waiting";
		return row && isUnderWay && isNeeded ? {
			file: row,
			attempt
		} : null;
	});
}
async function updateFile(core, file, changes) {
	await core.storage.layerOf(file.operationId).write(["files"], async (tx) => {
		const row = await tx.get("files", file.fileId);
		if (row) await tx.put("files", {
			...row,
			...changes
		});
	});
}
/**
* Makes one exchange: reads the upload state, or sends the next chunk.
* @param operation the answer that needs the file; null: the server requested it again
*/
async function uploadStep(core, token, wanted, operation) {
	const now = await readCurrent(core, wanted, operation);
	if (!now) return PROGRESS;
	const { file, attempt } = now;
	const head = ((attempt && streamOf(attempt, file.stream)?.nextSequence) ?? 1) - 1;
	const headers = attemptHeaders(file.stream, head);
	if (file.state === "unchecked") return readState(core, token, file, attempt, headers);
	const to = Math.min(file.size, file.received + core.runtime.chunkSize.bytes);
	const bytes = await readBytes(core.storage.layerOf(file.operationId), file, file.received, to);
	if (!bytes) return {
		kind: "refused",
		refusal: FILE_LOST
	};
	const { attemptId, fileId, questionId, size, sha256, name, mimeType } = file;
	const chunk = {
		attemptId,
		fileId,
		questionId,
		size,
		sha256,
		name,
		mimeType
	};
	const { transport, clock } = core.env;
	let elapsedMs = 0;
	const sent = await exchange(core, attempt, async () => {
		const startedAt = clock.monotone();
		const reply = await transport.uploadChunk(token, {
			...chunk,
			offset: file.received,
			bytes
		}, headers);
		elapsedMs = clock.monotone() - startedAt;
		return reply;
	});
	adaptChunkSize(core, sent, bytes.length, elapsedMs);
	return applyChunkReply(core, file, sent);
}
function adaptChunkSize(core, sent, bytes, elapsedMs) {
	const { runtime } = core;
	if (sent.ok) runtime.chunkSize = afterChunk(runtime.chunkSize, bytes, elapsedMs);
	const verdict = sent.ok ? null : classify(sent.failure);
	if (verdict?.kind === "retry" && isTooSlow(verdict.timedOut, elapsedMs)) runtime.chunkSize = afterTimeOut(runtime.chunkSize, bytes);
}
async function readState(core, token, file, attempt, headers) {
	const sent = await exchange(core, attempt, () => core.env.transport.getUpload(token, file.attemptId, file.fileId, headers));
	if (sent.ok) return applyState(core, file, sent.value);
	const verdict = classify(sent.failure);
	if (verdict.kind === "setAside" && verdict.status === 404) {
		await updateFile(core, file, {
			state: "uploading",
			received: 0
		});
		return PROGRESS;
	}
	return verdict.kind === "setAside" ? refusedBy(verdict) : {
		kind: "failed",
		verdict
	};
}
async function applyChunkReply(core, file, sent) {
	if (sent.ok) return applyState(core, file, sent.value);
	const verdict = classify(sent.failure);
	if (verdict.kind === "outOfPlace") {
		const received = Math.min(verdict.received, file.size);
		await updateFile(core, file, received === file.size ? { state: "unchecked" } : { received });
		return received > file.received ? PROGRESS : STUCK;
	}
	if (verdict.kind === "mismatch") return restartDamaged(core, file, sent.failure);
	if (verdict.kind === "setAside" && verdict.status === 404 && file.wanted) return STUCK;
	return verdict.kind === "setAside" ? refusedBy(verdict) : {
		kind: "failed",
		verdict
	};
}
async function restartDamaged(core, file, failure) {
	const mismatches = file.mismatches + 1;
	await updateFile(core, file, {
		mismatches,
		received: 0
	});
	if (mismatches < MISMATCHES) return STUCK;
	const { status = 422, code = "CHECKSUM_MISMATCH", message } = failure;
	return {
		kind: "refused",
		refusal: {
			status,
			code,
			message
		}
	};
}
async function applyState(core, file, state) {
	if (state.fileId !== file.fileId) return STUCK;
	if (state.complete) {
		await updateFile(core, file, {
			state: "complete",
			received: file.size,
			wanted: false
		});
		return PROGRESS;
	}
	const received = Math.min(state.received, file.size);
	const isStuck = file.state === "uploading" && received <= file.received;
	await updateFile(core, file, {
		state: "uploading",
		received
	});
	return isStuck ? STUCK : PROGRESS;
}
var refusedBy = ({ status, code, message }) => ({
	kind: "refused",
	refusal: {
		status,
		code,
		message
	}
});
/** Sets the file aside: the finish declares it, and the caller sets its answer aside. */
async function setFileAside(core, file, refusal) {
	await updateFile(core, file, {
		state: "setAside",
		wanted: false,
		refusal
	});
}
// ../../tmp/exam-room-release-2nlq5S/src/outbox/view.ts
init_storage();
init_limits();
init_attempts();
init_overlay();
init_plan();
/** What the screens show, and what an export contains. */
function readOnlyOf(core, attempt, remainingMs) {
	if (attempt.gone) return "gone";
	if (attempt.state === "finished") return "finished";
	if (attempt.takenOver) return "takenOver";
	if (attempt.state === "finishing") return "finishing";
	if (core.runtime.secondTab.has(attempt.attemptId)) return "secondTab";
	return remainingMs <= 0 ? "timeOver" : null;
}
async function gather(core, attempt) {
	const { attemptId } = attempt;
	const { operations, files, content } = await core.storage.readRecords(attemptId);
	const broken = await core.storage.readBroken();
	const unsaved = core.storage.durable ? core.storage.unsaved : new Set(operations.map((one) => one.operationId));
	return {
		attempt,
		questions: content?.questions ?? [],
		saved: content?.saved ?? null,
		operations,
		files,
		sending: core.runtime.sending,
		unsaved,
		broken: broken.filter((row) => row.store === "operations").length
	};
}
/** Everything the test page shows of an attempt. Null: not on this device, or owned by another user. */
async function snapshot(core, attemptId) {
	await core.ready();
	const attempt = await visibleAttempt(core, attemptId);
	if (!attempt) return null;
	const input = await gather(core, attempt);
	const answers = overlay(input);
	const counts = countAnswers(input, answers);
	const now = core.clock.serverNow() ?? core.clock.wall();
	const remainingMs = attempt.state === "finished" ? 0 : Math.max(0, attempt.deadline - now);
	const readOnly = readOnlyOf(core, attempt, remainingMs);
	const { setAside } = unsentQuestions(input.operations);
	const finishes = input.operations.filter((one) => one.kind === "finish");
	const finishWaits = finishes.some((one) => one.state === "waiting");
	const refused = finishes.find((one) => one.state === "setAside" && one.stream === attempt.stream);
	const { title, language, testId, owner, attemptNumber, attemptsCount, stream, state } = attempt;
	const own = attempt.streams.find((one) => one.stream === stream);
	return {
		attemptId,
		testId,
		owner,
		title,
		language,
		attemptNumber,
		attemptsCount,
		stream,
		epoch: own?.epoch ?? 1,
		state,
		readOnly,
		startedAt: attempt.startedAt,
		deadline: attempt.deadline,
		countsUntil: attempt.countsUntil,
		finishedAt: attempt.finishedAt,
		remainingMs,
		now,
		questions: input.questions,
		head: (own?.nextSequence ?? 1) - 1,
		answers,
		lastQuestionId: attempt.lastQuestionId,
		counts,
		finishWaits,
		finishRefusal: finishWaits ? null : refused?.refusal ?? null,
		sync: await syncOf(core, {
			waiting: counts.waiting,
			setAside: setAside.size,
			secondTab: readOnly === "secondTab",
			takenOver: attempt.takenOver
		})
	};
}
async function syncOf(core, input) {
	const session = await core.session();
	const { pause, reachability } = core.runtime;
	const { durable, unsaved } = core.storage;
	const isPaused = pause !== null && (pause.why === "update" || pause.token === session?.token);
	return syncView({
		waiting: input.waiting,
		setAside: input.setAside,
		signedIn: session !== null,
		pause: isPaused ? pause.why : null,
		reachability,
		unstorable: !durable || unsaved.size > 0 || core.storage.isSilent(),
		secondTab: input.secondTab,
		takenOver: input.takenOver
	});
}
/** The indicator outside a test, over all rows of the signed-in user on this device. */
async function ownersSync(core) {
	const owner = (await core.session())?.owner ?? null;
	const { waiting, setAside } = unsentQuestions(owner === null ? [] : await unsentOf(owner, core.storage.readAll));
	return syncOf(core, {
		waiting: waiting.size,
		setAside: setAside.size + core.runtime.unreadable,
		secondTab: false,
		takenOver: false
	});
}
async function unsentOf(owner, readRows) {
	return readRows(["operations"], async (tx) => [...await tx.all("operations", "ownerState", [owner, "waiting"]), ...await tx.all("operations", "ownerState", [owner, "setAside"])]);
}
/**
* Waiting operations of an owner, finishes and poisoned ones included: what a sign-out leaves unsent. Throws
* `StorageFailure` when the device cannot be read.
*/
async function unsentCount(core, owner) {
	return (await unsentOf(owner, core.storage.readEvery)).filter((one) => one.state === "waiting").length;
}
/** Whether answers of other users wait on this device. */
async function othersWaiting(core, owner) {
	const waiting = await core.storage.readAll(["operations"], (tx) => tx.all("operations", "state", "waiting"));
	const encrypted = await core.storage.read(["encrypted"], (tx) => tx.all("encrypted", "kind", "attempt")).catch(() => []);
	return [...waiting, ...encrypted.filter((one) => one.waits)].some((one) => one.owner !== owner);
}
/** The attempt, if the signed-in user owns it; after a sign-out an open page continues with its own. */
async function visibleAttempt(core, attemptId) {
	const row = await core.storage.readAttempt(attemptId);
	const session = await core.session();
	return row && (session === null || session.owner === row.owner) ? row : null;
}
/** The indicator's state, by priority: what blocks writing, what needs the user, then the network. */
function syncView(facts) {
	const { waiting } = facts;
	if (facts.secondTab) return {
		kind: "secondTab",
		count: waiting
	};
	if (facts.takenOver) return {
		kind: "takenOver",
		count: waiting
	};
	if (facts.unstorable) return {
		kind: "unstorable",
		count: waiting
	};
	if ((!facts.signedIn || facts.pause === "signIn" || facts.pause === "blocked") && waiting > 0) return {
		kind: "signedOut",
		count: waiting
	};
	if (facts.setAside > 0) return {
		kind: "setAside",
		count: facts.setAside
	};
	if (facts.reachability === "offline") return {
		kind: "offline",
		count: waiting
	};
	if (facts.reachability === "silent" || facts.pause === "update") return {
		kind: "silent",
		count: waiting
	};
	return waiting > 0 ? {
		kind: "sending",
		count: waiting
	} : {
		kind: "delivered",
		count: 0
	};
}
var isUnsent = (one) => one.state === "waiting" || one.state === "setAside";
var iso = (ms) => ms === null ? null : new Date(ms).toISOString();
function plain(one) {
	const { operationId, stream, epoch, sequence, kind, answer, finishReason, state } = one;
	return {
		operationId,
		stream,
		epoch,
		sequence,
		kind,
		answer,
		finishReason,
		state: one.poisoned ? "setAside" : state,
		writtenAt: iso(one.writtenServer),
		seenServerTime: one.seenServerTime,
		refusal: one.refusal,
		receipt: one.receipt
	};
}
function base64(bytes) {
	let binary = "";
	for (const byte of bytes) binary += String.fromCharCode(byte);
	return btoa(binary);
}
async function withBytes(core, file) {
	const { fileId, questionId, name, size, mimeType, sha256 } = file;
	const bytes = await readBytes(core.storage.layerOf(file.operationId), file, 0, size).catch((error) => {
		ignoreStorageFailure(error);
		return null;
	});
	return {
		fileId,
		questionId,
		name,
		size,
		mimeType,
		sha256,
		base64: bytes && base64(bytes)
	};
}
/** Rows that cannot be decrypted, exported as ciphertext for the owner of the right key. */
async function encryptedOf(core, owner) {
	return (await core.storage.read(["encrypted"], (tx) => tx.all("encrypted", "ownerKind", [owner, "attempt"])).catch(() => [])).map(({ id, iv, cipher }) => ({
		id,
		store: "encrypted",
		iv: base64(new Uint8Array(iv)),
		cipher: base64(new Uint8Array(cipher))
	}));
}
/** Everything of an owner that the server does not have, as JSON that a teacher can import. */
async function exportUnsent(core, owner) {
	const attempts = [];
	for (const attempt of await attemptsOf(core, owner)) {
		const { attemptId, testId, title, startedAt, deadline } = attempt;
		const unsent = (await core.storage.readAll(["operations"], (tx) => tx.all("operations", "attempt", attemptId))).filter(isUnsent);
		if (unsent.length === 0) continue;
		const fileIds = new Set(unsent.flatMap(fileIdsOf));
		const files = await core.storage.readAll(["files"], (tx) => tx.all("files", "attempt", attemptId));
		attempts.push({
			attemptId,
			testId,
			title,
			startedAt: iso(startedAt),
			deadline: iso(deadline),
			operations: unsent.map(plain),
			files: await Promise.all(files.filter((file) => fileIds.has(file.fileId)).map((file) => withBytes(core, file)))
		});
	}
	const broken = [...(await core.storage.readBroken()).filter((row) => mayBelong(row, owner)), ...await encryptedOf(core, owner)];
	const exportedAt = iso(core.clock.serverNow() ?? core.clock.wall());
	return JSON.stringify({
		format: RESCUE_FORMAT,
		version: 1,
		exportedAt,
		owner,
		attempts,
		broken
	}, null, 2);
}
// ../../tmp/exam-room-release-2nlq5S/src/outbox/unsent-attempts.ts
init_attempts();
function toUnsentOperation({ storage }, row, numbers) {
	const { operationId, questionId, kind, state, poisoned, writtenServer } = row;
	const isStored = storage.durable && !storage.unsaved.has(operationId);
	const isSetAside = state === "setAside" || poisoned;
	return {
		operationId,
		questionNumber: questionId === null ? null : numbers.get(questionId) ?? null,
		kind,
		state: isSetAside ? "setAside" : isStored ? "device" : "unsaved",
		isStored,
		isWaiting: state === "waiting",
		at: writtenServer
	};
}
var byNumber = (a, b) => (a.questionNumber ?? Number.POSITIVE_INFINITY) - (b.questionNumber ?? Number.POSITIVE_INFINITY);
/** A device that cannot be read hides its own rows, but not those in memory. */
async function readOperations({ storage }, owner) {
	try {
		return await unsentOf(owner, storage.readEvery);
	} catch (error) {
		const inMemory = await unsentOf(owner, storage.readAll);
		if (inMemory.length === 0) throw error;
		return inMemory;
	}
}
/**
* All unsent operations of one person by attempt; the newest attempt first. Throws `StorageFailure` when the device
* cannot be read and nothing is in memory.
*/
async function readUnsentAttempts(core, owner) {
	await core.ready();
	const operations = await readOperations(core, owner);
	const read = async ({ attemptId, testId, title }) => {
		const { content } = await core.storage.readRecords(attemptId);
		const numbers = new Map(content?.questions.map(({ questionId }, index) => [questionId, index + 1]));
		return {
			attemptId,
			testId,
			title,
			operations: operations.filter((one) => one.attemptId === attemptId).map((one) => toUnsentOperation(core, one, numbers)).sort(byNumber)
		};
	};
	const unsentAttempts = (await attemptsOf(core, owner)).filter(({ attemptId }) => operations.some((operation) => operation.attemptId === attemptId));
	return Promise.all(unsentAttempts.reverse().map(read));
}
// ../../tmp/exam-room-release-2nlq5S/domain/file-types.ts
/**
* Extensions with the media types that browsers and systems report for them, the usual ones first: one file
* type per line. Used only to compare a choice with a picked file; nothing is executed by it.
*/
var KINDS = `jpg jpeg image/jpeg image/jpg
png image/png
webp image/webp
gif image/gif
heic heif image/heic image/heif
avif image/avif
bmp image/bmp
svg image/svg+xml
pdf application/pdf
doc application/msword
docx application/vnd.openxmlformats-officedocument.wordprocessingml.document
xls application/vnd.ms-excel
xlsx application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
odt application/vnd.oasis.opendocument.text
ods application/vnd.oasis.opendocument.spreadsheet
csv text/csv application/vnd.ms-excel
txt text/plain
html text/html
py text/x-python text/plain
zip application/zip application/x-zip-compressed
mp3 audio/mpeg
m4a audio/mp4 audio/x-m4a
wav audio/wav
ogg audio/ogg
mp4 video/mp4
mov video/quicktime
webm video/webm audio/webm`.split("\n").map((line) => line.split(" "));
/** All names of the first file type with this one, an extension without its dot or a media type; empty: unknown. */
var namesOfKind = (name) => KINDS.find((names) => names.includes(name)) ?? [];
/** Generic bytes: no browser shows or runs them. */
var BYTES_TYPE = "application/octet-stream";
new Intl.PluralRules("ru");
/** By the count of decimals: to make one takes longer than all else that a list does for its numbers. */
var numberFormats = /* @__PURE__ */ new Map();
function numberFormatOf(digits) {
	const known = numberFormats.get(digits);
	if (known) return known;
	const made = new Intl.NumberFormat("ru-RU", { maximumFractionDigits: digits });
	numberFormats.set(digits, made);
	return made;
}
/** A number in Russian writing: decimal comma, true minus, at most `digits` decimals (2). */
function formatNumber(value, digits = 2) {
	if (Number.isInteger(value) && value >= 0 && value < 1e3) return String(value);
	const plain = numberFormatOf(digits).format(value).replace("-", "−");
	return plain === "−0" ? "0" : plain;
}
var UNITS = [
	"Б",
	"КБ",
	"МБ",
	"ГБ"
];
function sizeUnit(bytes) {
	let unit = 0;
	for (let rest = bytes; rest >= 1024 && unit < UNITS.length - 1; rest /= 1024) unit += 1;
	return unit;
}
function inUnit(bytes, unit) {
	return formatNumber(bytes / 1024 ** unit, unit < 2 ? 0 : 1);
}
/** A size in bytes as «640 КБ» or «2,4 МБ» (1 МБ = 1024 КБ). */
function formatSize(bytes) {
	const unit = sizeUnit(bytes);
	return `${inUnit(bytes, unit)} ${UNITS[unit] ?? ""}`;
}
// ../../tmp/exam-room-release-2nlq5S/domain/accepted-file.ts
/** An extension with its dot, or a media type. */
var TYPE = /^(?:\.[^\s,;:/\\*]+|[a-z\d.+-]+\/(?:\*|[\w.+-]+))$/;
/** An entry of a choice in comparable form; null: it names no file type. */
function typeEntry(written) {
	const entry = written.trim().toLowerCase();
	return TYPE.test(entry) ? entry : null;
}
var ANY = [
	"*",
	"*.*",
	"*/*",
	BYTES_TYPE
];
/** Whether a list accepts any file. */
var takesAny = (list) => list.some((one) => ANY.includes(one.trim().toLowerCase()));
/** The effective choice: entries that name no type do not restrict it. Empty: any file. */
var choiceOf = (accept) => takesAny(accept) ? [] : accept.flatMap((one) => typeEntry(one) ?? []);
var extensionOf = (name) => /\.([^.\s]+)$/.exec(name.toLowerCase())?.[1] ?? "";
/** The type that the browser reports; empty: none, or a generic one. */
function reportedType({ mimeType }) {
	const reported = (mimeType.split(";")[0] ?? "").trim().toLowerCase();
	return reported.endsWith("/octet-stream") ? "" : reported;
}
/** Possible types of a file by its reported type and its name; a known reported type overrides the name. */
function typesOf(file) {
	const reported = reportedType(file);
	const named = namesOfKind(extensionOf(file.name));
	if (reported === "") return named;
	return namesOfKind(reported).length > 0 && !named.includes(reported) ? [reported] : [reported, ...named];
}
function takes(entry, file) {
	if (entry.startsWith(".")) {
		if (file.name.toLowerCase().endsWith(entry)) return true;
		const wanted = namesOfKind(entry.slice(1));
		const named = namesOfKind(extensionOf(file.name));
		return named.length > 0 ? named === wanted : wanted.includes(reportedType(file));
	}
	const types = typesOf(file);
	if (entry.endsWith("*")) return types.some((type) => type.startsWith(entry.slice(0, -1)));
	return types.length > 0 ? types.includes(entry) : namesOfKind(entry).length === 0;
}
/** Whether a choice of types accepts a file: one rule for editor, picker, outbox and server. */
function takesFile(accept, file) {
	const choice = choiceOf(accept);
	return choice.length === 0 || choice.some((entry) => takes(entry, file));
}
/** Groups with a common name. */
var GROUPS = {
	"image/*": "картинки",
	"audio/*": "аудио",
	"video/*": "видео"
};
var wordOf = (entry) => GROUPS[entry] ?? (namesOfKind(entry)[0] ?? entry.replace("/*", "").replace(/\.|.*\//, "")).toUpperCase();
/** The accepted types, each once: «картинки», «PDF». Empty: any file. */
var acceptedTypeLabels = (accept) => [...new Set(choiceOf(accept).map(wordOf))];
/** «PNG, JPG или WEBP» */
function formatAcceptedTypes(accept) {
	const words = acceptedTypeLabels(accept);
	const last = words.pop() ?? "";
	return words.length === 0 ? last : `${words.join(", ")} или ${last}`;
}
var largeFileMessage = (maxBytes) => `Файл больше ${formatSize(maxBytes)}. Выберите файл поменьше`;
/** The message why a picked file cannot be sent; null: it can. */
function fileProblem(file, { accept, maxBytes }) {
	if (!takesFile(accept, file)) return `Такой файл не подойдёт. Выберите ${formatAcceptedTypes(accept)}`;
	if (file.size === 0) return "Файл пустой. Выберите другой";
	if (maxBytes !== void 0 && file.size > maxBytes) return largeFileMessage(maxBytes);
	return null;
}
// ../../tmp/exam-room-release-2nlq5S/src/outbox/change-files.ts
init_limits();
init_answer_files();
init_types();
init_write();
function partsOf(bytes) {
	const parts = [];
	for (let at = 0; at < bytes.byteLength; at += PART_BYTES) parts.push(bytes.slice(at, at + PART_BYTES).buffer);
	return parts;
}
/** The cached question that a file answers; null when it is not cached and only the server can check it. */
async function fileQuestion(core, attemptId, questionId) {
	const question = (await core.storage.readEither(["contents"], (tx) => tx.get("contents", attemptId)))?.questions.find((one) => one.questionId === questionId);
	return question?.kind === "file" ? question : null;
}
/** Each change is made to what the one before it left. */
var turns = /* @__PURE__ */ new WeakMap();
function inTurn(core, task) {
	const turn = (turns.get(core) ?? Promise.resolve()).then(task, task);
	turns.set(core, turn.catch(() => void 0));
	return turn;
}
var newRow = (file) => ({
	fileId: file.fileId,
	attemptId: file.attemptId,
	questionId: file.questionId,
	name: file.name,
	size: file.size,
	mimeType: file.mimeType,
	sha256: file.sha256,
	state: "uploading",
	received: 0,
	wanted: false,
	mismatches: 0,
	refusal: null
});
/** A file that another device sent: the server has it, and this one only names it. */
var foreignRow = (file) => ({
	...newRow(file),
	state: "complete",
	received: file.size
});
async function writeFiles(core, attemptId, questionId, change, added) {
	const current = (await snapshot(core, attemptId))?.answers.find((one) => one.questionId === questionId)?.answer;
	const files = change(answerFiles(current));
	const rows = await Promise.all(files.map((file) => core.storage.readEither(["files"], (tx) => tx.get("files", file.fileId))));
	const foreign = files.flatMap((file, at) => rows[at] || file.fileId === added?.row.fileId ? [] : [{
		row: foreignRow({
			attemptId,
			questionId,
			...file
		}),
		parts: []
	}]);
	const stored = await writeAnswer(core, attemptId, fileAnswer(questionId, files), added ? [...foreign, added] : foreign);
	const areSaved = rows.every((row) => !row || !core.storage.unsaved.has(row.operationId));
	return {
		...stored,
		saved: stored.saved && areSaved
	};
}
/** Stores an answer with a changed list of files: one less, or another order. */
var changeFiles = (core, attemptId, questionId, change) => inTurn(core, () => writeFiles(core, attemptId, questionId, change, null));
/**
* Stores bytes, their checksum and the answer that names them, in one transaction. A file that the server
* would refuse is refused first, so that it is never shown as saved.
*/
async function addFile(core, attemptId, questionId, file, place) {
	const { bytes, mimeType } = file;
	const name = file.name.slice(-300) || "file";
	const size = bytes.byteLength;
	const question = await fileQuestion(core, attemptId, questionId);
	const problem = fileProblem({
		name,
		mimeType,
		size
	}, question ?? {
		accept: [],
		maxBytes: 10485760
	});
	if (problem !== null) throw new OutboxRefusal("fileRefused", problem);
	const sha256 = await (core.env.digest ?? sha256Hex)(bytes);
	const fileId = core.env.newId();
	const added = {
		fileId,
		name,
		size,
		mimeType: mimeType.slice(0, 200),
		sha256
	};
	const change = (files) => {
		const next = place(files, added);
		const most = question ? maxFilesOf(question) : next.length;
		if (next.length <= most) return next;
		throw new OutboxRefusal("fileRefused", tooManyFilesMessage(most));
	};
	const row = newRow({
		attemptId,
		questionId,
		...added
	});
	return {
		...await inTurn(core, () => writeFiles(core, attemptId, questionId, change, {
			row,
			parts: partsOf(bytes)
		})),
		fileId
	};
}
var tooManyFilesMessage = (most) => most === 1 ? "К этому вопросу можно приложить один файл. Уберите прежний." : `К этому вопросу можно приложить не больше ${most} файлов. Уберите лишний.`;
// ../../tmp/exam-room-release-2nlq5S/src/outbox/typed-note.ts
/** Null: damaged. */
function parseTyped(text) {
	const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Typed), text);
	return parsed.success ? parsed.output : null;
}
var Typed, isSame;
var init_typed_note = __esmMin((() => {
	init_answers$6();
	Typed = v.object({
		owner: v.string(),
		attemptId: v.string(),
		stream: v.string(),
		answer: Answer,
		era: v.pipe(v.number(), v.integer(), v.minValue(0)),
		wall: v.number(),
		server: v.nullable(v.number()),
		seen: v.nullable(v.string())
	});
	isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
}));
// ../../tmp/exam-room-release-2nlq5S/src/outbox/restore-typed.ts
var restore_typed_exports = /* @__PURE__ */ __exportAll({ restoreTyped: () => restoreTyped });
/** Null: the device or the server has this answer or a newer one. */
async function restoreIn(tx, core, typed, operationId) {
	const { attemptId, answer } = typed;
	const row = await tx.get("attempts", attemptId);
	if (row?.owner !== typed.owner) throw new OutboxRefusal("unknownAttempt");
	const all = await tx.all("operations", "attempt", attemptId);
	const already = all.find((one) => one.operationId === operationId);
	if (already) return already;
	const isKnown = streamOf(row, typed.stream) !== null;
	const stream = isKnown ? typed.stream : row.stream;
	if (all.find((one) => one.kind === "finish" && one.stream === stream && one.state !== "dropped")?.finishReason === "student") throw new OutboxRefusal("finished");
	const own = all.filter((one) => one.questionId === answer.questionId);
	if (own.some((one) => isAfter(one, typed))) return null;
	if (isSame(latest(own)?.answer ?? null, answer)) return null;
	if (!isKnown && await isAnsweredSince(tx, typed)) return null;
	const wanted = {
		operationId,
		attemptId,
		answer,
		finishReason: null,
		files: []
	};
	const { era, wall, server, seen } = typed;
	return appendIn(tx, core, row, wanted, {
		stream,
		writtenAt: {
			era,
			wall,
			server,
			seen
		}
	});
}
/** Whether the server received an answer to the question later; without the device's own operations nothing else tells. */
async function isAnsweredSince(tx, { attemptId, answer, server }) {
	const content = await tx.get("contents", attemptId);
	return (content?.saved ? listSaved(content.saved) : []).some((one) => one.questionId === answer.questionId && Date.parse(one.receivedAt) > (server ?? -Infinity));
}
/** True: the device has it now, or it may not be written any more. */
async function restoreTyped(core, typed) {
	const operationId = core.env.newId();
	try {
		const { value: operation, saved } = await core.storage.writeNew(typed.attemptId, [...WRITE_STORES, "contents"], (tx) => restoreIn(tx, core, typed, operationId));
		if (operation) noteWritten(core, operation, saved);
		return saved;
	} catch (error) {
		if (error instanceof OutboxRefusal) return error.reason !== "unknownAttempt";
		ignoreStorageFailure(error);
		return false;
	}
}
var isAfter;
var init_restore_typed = __esmMin((() => {
	init_storage();
	init_saved_answers();
	init_overlay();
	init_typed_note();
	init_types();
	init_write();
	isAfter = (one, typed) => one.writtenEra > typed.era || one.writtenEra === typed.era && one.writtenWall > typed.wall;
}));
// ../../tmp/exam-room-release-2nlq5S/src/outbox/typed-texts.ts
init_typed_note();
init_write();
/**
* Typed answers that the database may not have yet. A page that is being left cannot finish a transaction, so each
* key writes the answer synchronously into `texts`; the next page that starts writes it as an operation of the moment
* at which it was typed.
*/
var PREFIX = "typed:";
var keyOf = (attemptId, { questionId }) => `${PREFIX}${attemptId}:${questionId}`;
/** Storage that is full or forbidden changes nothing: the database has the text within a second. */
function attempt(work, otherwise) {
	try {
		return work();
	} catch {
		return otherwise;
	}
}
/** Notes an answer as typed so far. Synchronous. */
function noteTyped(core, { owner, attemptId, stream }, answer) {
	const typed = {
		owner,
		attemptId,
		stream,
		answer,
		...positionOf(core)
	};
	attempt(() => core.env.texts?.setItem(keyOf(attemptId, answer), JSON.stringify(typed)), void 0);
}
/** Forgets a typed answer that the device has stored. */
function forgetTyped(core, attemptId, answer) {
	const { texts } = core.env;
	const key = keyOf(attemptId, answer);
	attempt(() => {
		const typed = parseTyped(texts?.getItem(key) ?? "");
		if (typed && isSame(typed.answer, answer)) texts?.removeItem(key);
	}, void 0);
}
function listTyped(core) {
	const { texts } = core.env;
	if (!texts) return [];
	return attempt(() => {
		return Array.from({ length: texts.length }, (_, index) => texts.key(index)).flatMap((key) => {
			const text = key?.startsWith(PREFIX) ? texts.getItem(key) : null;
			return key !== null && text !== null ? [{
				key,
				text
			}] : [];
		});
	}, []);
}
var loadRestoring = createModuleLoader(() => Promise.resolve().then(() => (init_restore_typed(), restore_typed_exports)));
/**
* Writes the typed answers of all owners as operations: each into the rows of its own owner's attempt. False: a file of
* the app did not arrive, and the texts wait for the next page; neither a start nor a sign-out fails for that.
*/
async function storeTyped(core) {
	const found = listTyped(core);
	if (found.length === 0) return true;
	await core.ready();
	const restoring = await loadRestoring().catch(() => null);
	if (!restoring) return false;
	const { restoreTyped } = restoring;
	for (const { key, text } of found) {
		const typed = parseTyped(text);
		if (typed && !await restoreTyped(core, typed)) continue;
		attempt(() => {
			if (core.env.texts?.getItem(key) === text) core.env.texts.removeItem(key);
		}, void 0);
	}
	return true;
}
/** At a sign-out and at another person's sign-in: text that could not be stored must not be readable. */
function eraseTyped(core, except) {
	for (const { key, text } of listTyped(core)) {
		if (except !== null && parseTyped(text)?.owner === except) continue;
		attempt(() => core.env.texts?.removeItem(key), void 0);
	}
}
// ../../tmp/exam-room-release-2nlq5S/src/outbox/decrypt.ts
init_storage();
init_merge();
init_transition();
/** Restores encrypted rows as plaintext once their owner is signed in, and encrypts those of everybody else. */
var decryptRowBytes = (deviceKey, row) => decryptBytes(deviceKey.key, placeOf(row), row);
/** Restores the content of `row`, unless another tab has already done it. */
function restoreRow(core, deviceKey, row, put) {
	const stores = [
		...BUNDLE_STORES,
		"fileBytes",
		"broken",
		"device",
		"encrypted",
		"deviceKeys"
	];
	return core.storage.write(stores, async (tx) => {
		if (!await tx.get("encrypted", row.id) || !await isCurrent(tx, deviceKey)) return;
		await put(tx);
		await tx.delete("encrypted", row.id);
	});
}
/** A restored server may lack this operation: it is sent again, as `noteServerEpoch` does for plaintext rows. */
var isBehind = (one, epoch) => one.state === "acknowledged" && (one.serverEpoch ?? 0) < epoch;
/** Plaintext rows written meanwhile are newer and win. */
async function putBundle(tx, bundle) {
	const { attempt, content, operations, files } = bundle;
	const server = await tx.get("device", "server");
	const epoch = server?.kind === "server" ? server.epoch : 0;
	const mustResend = operations.some((one) => isBehind(one, epoch));
	if (attempt) {
		const stored = await tx.get("attempts", attempt.attemptId);
		const joined = stored && mergeAttempts(stored, attempt, hasFinish$1(attempt, operations));
		await tx.put("attempts", joined ?? attempt);
	}
	if (content) {
		const stored = await tx.get("contents", content.attemptId);
		if (stored === null || stored.questions.length === 0) await tx.put("contents", content);
	}
	for (const one of operations) {
		if (await tx.get("operations", one.operationId)) continue;
		const resent = isBehind(one, epoch) ? transition(one, { kind: "resend" }) : null;
		await tx.put("operations", resent ?? one);
	}
	for (const file of files) {
		if (await tx.get("files", file.fileId)) continue;
		const resent = {
			...file,
			state: "unchecked",
			wanted: true
		};
		await tx.put("files", mustResend && file.state === "complete" ? resent : file);
	}
}
async function decryptFile(core, deviceKey, fileId) {
	let isWhole = true;
	const rows = await core.storage.read(["encrypted"], (tx) => tx.all("encrypted", "file", fileId));
	for (const row of rows) {
		const plain = await decryptRowBytes(deviceKey, row);
		if (plain === null) isWhole = false;
		else {
			const bytes = {
				fileId,
				part: row.part,
				bytes: plain.buffer
			};
			await restoreRow(core, deviceKey, row, (tx) => tx.put("fileBytes", bytes));
		}
	}
	return isWhole;
}
/** False: it cannot be decrypted and stays unchanged. */
async function decryptRow(core, deviceKey, row) {
	const plain = await decryptRowBytes(deviceKey, row);
	if (plain === null) return false;
	const text = new TextDecoder().decode(plain);
	if (row.kind === "broken") {
		await restoreRow(core, deviceKey, row, (tx) => tx.put("broken", fromText(text)));
		return true;
	}
	const bundle = parseBundle(text);
	let isWhole = true;
	for (const fileId of row.fileIds) if (!await decryptFile(core, deviceKey, fileId)) isWhole = false;
	await restoreRow(core, deviceKey, row, (tx) => putBundle(tx, bundle));
	return isWhole;
}
/**
* Stores the key for the duration of the session. Null: there is none, or no space for it, and nothing
* is encrypted or decrypted.
*/
async function storeDeviceKey(core, owner, base64url) {
	const key = base64url === null ? null : await importDeviceKey(base64url);
	if (key === null) return core.storage.read(["deviceKeys"], (tx) => tx.get("deviceKeys", owner));
	const row = {
		owner,
		key,
		signIn: core.env.newId()
	};
	core.runtime.unstoredKey = null;
	const write = () => core.storage.write(["deviceKeys"], (tx) => tx.put("deviceKeys", row));
	try {
		await write().catch(async (error) => {
			if (!(error instanceof StorageFailure) || error.kind !== "quota") throw error;
			await core.env.freeSpace?.();
			await write();
		});
		return row;
	} catch (error) {
		core.log({
			event: "deviceKeyNotStored",
			detail: String(error)
		});
		core.runtime.unstoredKey = row;
		return null;
	}
}
/** Restores the owner's encrypted rows. Rows that cannot be decrypted, or have no key, are counted and stay. */
async function decryptOwner(core, owner, deviceKey) {
	const rows = await core.storage.read(["encrypted"], async (tx) => [...await tx.all("encrypted", "ownerKind", [owner, "attempt"]), ...await tx.all("encrypted", "ownerKind", [owner, "broken"])]);
	let unreadable = 0;
	for (const row of rows) {
		let isOpen = false;
		try {
			isOpen = deviceKey !== null && await decryptRow(core, deviceKey, row);
		} catch (error) {
			const detail = error instanceof StorageFailure ? error.kind : String(error);
			core.log({
				event: "decryptFailed",
				detail
			});
			if (detail === "quota") await core.env.freeSpace?.().catch(() => void 0);
		}
		if (!isOpen) unreadable += 1;
	}
	core.runtime.unreadable = unreadable;
}
/**
* Stores the key for which there was no space at the sign-in, once there is some, and opens what waited for it. Called
* before anything is sent: with a key delivered answers outlive the sign-out, encrypted, and are sent again should the
* server be restored; without one they are deleted then.
*/
async function retryDeviceKey(core, owner) {
	const row = core.runtime.unstoredKey;
	if (row === null) return;
	if (row.owner === owner) {
		let isStored;
		try {
			isStored = await core.storage.write(["deviceKeys", "session"], async (tx) => {
				if ((await tx.get("session", "current"))?.owner !== owner) return false;
				await tx.put("deviceKeys", row);
				return true;
			});
		} catch (error) {
			if (error instanceof StorageFailure) return;
			throw error;
		}
		if (isStored) {
			await decryptOwner(core, owner, row);
			core.emit({
				kind: "changed",
				attemptId: null
			});
		}
	}
	if (core.runtime.unstoredKey === row) core.runtime.unstoredKey = null;
}
/** False: there is no key, and the owner's rows stay unchanged. */
async function openRows(core, owner, deviceKey) {
	await core.ready();
	const stored = await storeDeviceKey(core, owner, deviceKey);
	await core.storage.store();
	if (await storeTyped(core)) eraseTyped(core, owner);
	core.storage.forgetRecords();
	await encryptAllBut(core, owner);
	await decryptOwner(core, owner, stored);
	core.emit({
		kind: "changed",
		attemptId: null
	});
	return stored !== null;
}
async function encryptRows(core) {
	await core.ready();
	await core.storage.store();
	await storeTyped(core);
	eraseTyped(core, null);
	core.runtime.unstoredKey = null;
	await encryptAllBut(core, null);
	core.runtime.unreadable = 0;
	core.storage.forgetRecords();
	core.emit({
		kind: "changed",
		attemptId: null
	});
}
// ../../tmp/exam-room-release-2nlq5S/src/outbox/settle.ts
init_storage();
init_attempts();
init_plan();
init_transition();
init_write();
/** What the sending changes in stored rows, one transaction per event. */
/** A sequence still missing after this many resends is declared lost. */
var MAX_RESENDS = 3;
/** Applies an event to a stored operation. Null: it is gone, or the event does not concern its state. */
async function advance(tx, operationId, event) {
	const row = await tx.get("operations", operationId);
	const next = row && transition(row, event);
	if (next) await tx.put("operations", next);
	return next;
}
/** Applies the same event to the attempt, if its row is still there. */
async function advanceAttempt(tx, operation, event) {
	const attempt = await tx.get("attempts", operation.attemptId);
	const next = attempt && attemptAfter(attempt, operation, event);
	if (next && next !== attempt) await tx.put("attempts", next);
}
/** Sequences folded into an answer, directly or transitively. */
async function foldedInto(storage, operationId) {
	return storage.read(["operations"], async (tx) => {
		const found = [];
		const open = [operationId];
		for (let id = open.pop(); id !== void 0; id = open.pop()) for (const one of await tx.all("operations", "foldedInto", id)) {
			found.push(one.sequence);
			open.push(one.operationId);
		}
		return found;
	});
}
/** All rows of an attempt, memory included: a finish must not leave any of them behind. */
async function readAttemptRecords(core, attemptId) {
	return {
		operations: await core.storage.readEvery(["operations"], (tx) => tx.all("operations", "attempt", attemptId)),
		files: await core.storage.readEvery(["files"], (tx) => tx.all("files", "attempt", attemptId))
	};
}
async function buildFinishManifest(core, operation) {
	if (operation.kind === "answer") return {
		folded: await foldedInto(core.storage.layerOf(operation.operationId), operation.operationId),
		sequences: [],
		files: []
	};
	const attempt = await core.storage.readAttempt(operation.attemptId);
	const { operations, files } = await readAttemptRecords(core, operation.attemptId);
	return createFinishManifest(operation, attempt && streamOf(attempt, operation.stream), operations, files);
}
/** Claims an operation for sending; from now on it is never folded. Null: it is no longer waiting. */
async function claimForSending(core, owner, operationId) {
	const storage = core.storage.layerOf(operationId);
	const readWaiting = async (tx) => {
		const row = await tx.get("operations", operationId);
		return row?.state === "waiting" && row.owner === owner ? row : null;
	};
	const mark = async (tx) => {
		const row = await readWaiting(tx);
		if (row) await advance(tx, operationId, { kind: "claim" });
		return row;
	};
	const operation = await storage.write(["operations"], mark).catch((error) => {
		ignoreStorageFailure(error);
		return storage.read(["operations"], readWaiting);
	});
	if (!operation) return null;
	const attempt = await core.storage.readAttempt(operation.attemptId);
	const next = (attempt && streamOf(attempt, operation.stream)?.nextSequence) ?? 1;
	return {
		operation,
		attempt,
		head: Math.max(next - 1, operation.sequence),
		manifest: await buildFinishManifest(core, operation)
	};
}
/** A receipt that names the operation is the only successful way out of `waiting`. */
async function acknowledge(core, claimed, receipt, facts) {
	const { operation } = claimed;
	const known = core.runtime.serverEpoch;
	const isStale = facts.serverEpoch !== null && known !== null && facts.serverEpoch < known;
	const event = isStale ? {
		kind: "staleReceipt",
		receipt
	} : {
		kind: "receipt",
		receipt,
		serverEpoch: facts.serverEpoch ?? known
	};
	await core.storage.layerOf(operation.operationId).write(["operations", "attempts"], async (tx) => {
		const row = await advance(tx, operation.operationId, event);
		if (row) await advanceAttempt(tx, row, event);
	});
	return isStale ? "stale" : "acknowledged";
}
/** A deleted attempt or a full journal refuses older versions too. */
var REFUSES_EVERY_VERSION = /* @__PURE__ */ new Set(["GONE", "TOO_MANY_ANSWERS"]);
/** Permanently refused: stays visible, and its folded predecessor is sent instead. */
async function setOperationAside(core, operationId, { status, code, message }) {
	const event = {
		kind: "refuse",
		refusal: {
			status,
			code,
			message
		}
	};
	await core.storage.layerOf(operationId).write(["operations", "attempts"], async (tx) => {
		const row = await advance(tx, operationId, event);
		if (!row) return;
		await advanceAttempt(tx, row, event);
		if (!REFUSES_EVERY_VERSION.has(code)) await unfold(tx, operationId);
	});
}
async function unfold(tx, operationId) {
	for (const one of await tx.all("operations", "foldedInto", operationId)) await advance(tx, one.operationId, { kind: "unfold" });
}
/** Upload progress clears the failures of the answer. */
async function clearFailures(core, operationId) {
	const storage = core.storage.layerOf(operationId);
	const row = await storage.read(["operations"], (tx) => tx.get("operations", operationId));
	if (!(row?.poisoned === true || (row?.failures ?? 0) > 0)) return;
	await storage.write(["operations"], (tx) => advance(tx, operationId, { kind: "progress" }));
}
/** Counts a failure while other calls succeeded. True: it is poisoned now. */
async function countFailure(core, operation) {
	const { operationId } = operation;
	return core.storage.layerOf(operationId).write(["operations"], async (tx) => {
		const before = await tx.get("operations", operationId);
		const becomes = (await advance(tx, operationId, { kind: "fail" }))?.poisoned === true && before?.poisoned === false;
		if (becomes) await unfold(tx, operationId);
		return becomes;
	});
}
/**
* Its sequence belongs to another operation, so it gets the next one. An answer with a newer one of the
* same question must not outrank it and is folded into it instead.
*/
async function renumber(core, operationId) {
	const renumbered = await core.storage.layerOf(operationId).write(["operations", "attempts"], async (tx) => {
		const row = await tx.get("operations", operationId);
		const attempt = row && await tx.get("attempts", row.attemptId);
		if (!attempt || row.state !== "waiting") return null;
		const newer = await newerAnswer(tx, row);
		if (newer) {
			await advance(tx, operationId, {
				kind: "foldTaken",
				into: newer.operationId
			});
			return null;
		}
		const [counted, sequence] = takeSequence(core, attempt, row.stream);
		await tx.put("attempts", counted);
		return advance(tx, operationId, {
			kind: "renumber",
			sequence
		});
	});
	if (renumbered) noteSequence(core, renumbered);
}
async function newerAnswer(tx, row) {
	if (row.kind !== "answer") return null;
	return (await tx.all("operations", "attempt", row.attemptId)).find((one) => one.stream === row.stream && one.questionId === row.questionId && one.sequence > row.sequence && (one.state === "waiting" || one.state === "acknowledged")) ?? null;
}
/** INCOMPLETE: resends what the device has and declares the rest lost. False: nothing changed. */
async function fillGaps(core, finish, missing, missingFiles) {
	const exhausted = /* @__PURE__ */ new Set();
	for (const key of [...missing.map(String), ...missingFiles]) {
		const times = core.runtime.resendCounts.get(`${finish.attemptId}/${finish.stream}/${key}`) ?? 0;
		if (times >= MAX_RESENDS) exhausted.add(key);
		core.runtime.resendCounts.set(`${finish.attemptId}/${finish.stream}/${key}`, times + 1);
	}
	const attempt = await core.storage.readAttempt(finish.attemptId);
	const stream = attempt && streamOf(attempt, finish.stream);
	if (!stream) return false;
	const { operations, files } = await readAttemptRecords(core, finish.attemptId);
	const plan = planResend(finish, missing, missingFiles, operations, files, exhausted);
	for (const { operationId } of plan.resend) await core.storage.layerOf(operationId).write(["operations"], (tx) => advance(tx, operationId, { kind: "resend" }));
	for (const file of plan.filesToResend) await requestUpload(core, file);
	const lost = plan.lost.filter((n) => !stream.notHere.includes(n));
	const filesLost = plan.filesLost.filter((id) => !stream.filesNotHere.includes(id));
	if (lost.length + filesLost.length > 0) await changeAttempt(core, finish.attemptId, (row) => {
		const old = streamOf(row, finish.stream);
		if (!old) return row;
		const notHere = [...old.notHere, ...lost];
		return withStream(row, {
			...old,
			notHere,
			filesNotHere: [...old.filesNotHere, ...filesLost]
		});
	});
	return plan.resend.length + plan.filesToResend.length + lost.length + filesLost.length > 0;
}
async function requestUpload(core, file) {
	await core.storage.layerOf(file.operationId).write(["files"], async (tx) => {
		const row = await tx.get("files", file.fileId);
		if (row) await tx.put("files", {
			...row,
			state: "unchecked",
			wanted: true
		});
	});
}
/** The deadline was moved: drops this finish and reopens the inputs; another finish is written later. */
async function reopen(core, finish, deadline) {
	const event = {
		kind: "drop",
		deadline
	};
	await core.storage.layerOf(finish.operationId).write(["operations", "attempts"], async (tx) => {
		await advance(tx, finish.operationId, event);
		await advanceAttempt(tx, finish, event);
	});
}
/** Less time than this is not worth another finish. */
var WORTHWHILE_MS = 1e3;
/**
* The time came back, by the device's clock or by a reply, before the server confirmed a finish of the
* deadline: drops it, so that its sequence is declared like any dropped one, and reopens the inputs. Should
* the server have it after all, it answers as to any finish before the deadline.
*/
async function reopenEarlyFinishes(core, owner) {
	const now = core.clock.serverNow();
	if (now === null) return;
	for (const attempt of await attemptsOf(core, owner)) {
		if (attempt.state !== "finishing" || now > attempt.deadline - WORTHWHILE_MS) continue;
		const { operations } = await readAttemptRecords(core, attempt.attemptId);
		const early = operations.find((one) => one.kind === "finish" && one.finishReason === "deadline" && one.stream === attempt.stream && one.state === "waiting" && one.receipt === null);
		if (!early || core.runtime.sending.has(early.operationId)) continue;
		await reopen(core, early, attempt.deadline);
		core.emit({
			kind: "changed",
			attemptId: attempt.attemptId
		});
	}
}
async function readRetryable(core, owner) {
	return core.storage.readAll(["operations"], async (tx) => [...await tx.all("operations", "ownerState", [owner, "setAside"]), ...await tx.all("operations", "ownerState", [owner, "waiting"])]);
}
async function retryOperation(core, operation) {
	try {
		await resetOperation(core, operation.operationId);
	} catch (error) {
		ignoreStorageFailure(error);
		return;
	}
	const { backoffs, seenSuccesses } = core.runtime;
	backoffs.succeeded(operation.operationId);
	for (const fileId of fileIdsOf(operation)) backoffs.succeeded(fileId);
	seenSuccesses.delete(operation.operationId);
}
async function resetOperation(core, operationId) {
	await core.storage.layerOf(operationId).write([
		"operations",
		"files",
		"attempts"
	], async (tx) => {
		const event = { kind: "retry" };
		const row = await advance(tx, operationId, event);
		if (!row) return;
		for (const fileId of fileIdsOf(row)) {
			const file = await tx.get("files", fileId);
			if (file?.state === "setAside") await tx.put("files", {
				...file,
				state: "unchecked",
				mismatches: 0,
				refusal: null
			});
		}
		await advanceAttempt(tx, row, event);
	});
}
/** Retries everything of an attempt that was set aside. */
async function retrySetAside(core, attemptId) {
	const all = await core.storage.readAll(["operations"], (tx) => tx.all("operations", "attempt", attemptId));
	for (const one of all) if (one.state === "setAside" || one.state === "waiting" && one.poisoned) await retryOperation(core, one);
	core.emit({
		kind: "changed",
		attemptId
	});
	core.emit({
		kind: "written",
		attemptId
	});
}
/** When the app opens, poisoned operations are due, and a deleted attempt may have been restored. */
async function retryAtStartup(core, owner) {
	for (const one of await readRetryable(core, owner)) {
		if (one.refusal?.code === "GONE") await retryOperation(core, one);
		if (one.poisoned) core.runtime.backoffs.succeeded(one.operationId);
	}
}
// ../../tmp/exam-room-release-2nlq5S/src/outbox/replies.ts
init_attempts();
init_plan();
/** The failure says nothing about the operation: back off, and count it only if other calls succeeded. */
async function scheduleRetry(core, key, operation, verdict, tally) {
	const { runtime } = core;
	tally.failed += 1;
	const waitMs = verdict.waitMs === null ? void 0 : await limitWait(core, verdict.waitMs);
	if (verdict.cause === "busy") {
		runtime.backoffs.delayAll(waitMs);
		return;
	}
	runtime.backoffs.failed(key, operation?.poisoned ? POISONED_EVERY_MS : void 0);
	if (waitMs !== void 0) runtime.backoffs.postpone(key, waitMs);
	if (verdict.cause === "network") runtime.backoffs.delayAll();
	if (!runtime.backoffs.allDue()) setReachability(core, core.env.online?.() === false ? "offline" : "silent");
	if (operation && !verdict.timedOut) await suspect(core, key, operation, tally);
}
/** A requested wait ends this long before a deadline: a call with its time-out fits in, and a class is spread. */
var RESERVED_MS = 1e4;
var SPREAD_MS = 2e4;
/** The wait that a reply asked for, ended before the next deadline or end of acceptance of an open attempt. */
async function limitWait(core, waitMs) {
	const owner = core.runtime.session?.owner;
	const now = core.clock.serverNow();
	if (owner === void 0 || now === null) return waitMs;
	const ends = (await attemptsOf(core, owner)).filter(({ state, gone }) => state !== "finished" && !gone).flatMap(({ deadline, countsUntil }) => [deadline, countsUntil]).filter((at) => at > now);
	const left = Math.min(...ends) - now - RESERVED_MS - core.env.random() * SPREAD_MS;
	return Math.min(waitMs, Math.max(0, left));
}
async function suspect(core, key, operation, tally) {
	const { runtime } = core;
	tally.suspects.push(operation);
	const othersSucceeded = runtime.successes > (runtime.seenSuccesses.get(key) ?? 0);
	runtime.seenSuccesses.set(key, runtime.successes);
	if (!othersSucceeded || !await countFailure(core, operation)) return;
	runtime.backoffs.failed(key, POISONED_EVERY_MS);
	tally.setAside += 1;
	core.log({
		event: "poisoned",
		operationId: operation.operationId
	});
	core.emit({
		kind: "setAside",
		attemptId: operation.attemptId,
		operationId: operation.operationId
	});
}
function pauseAll(core, verdict, token) {
	core.runtime.pause = {
		why: verdict.pause,
		token,
		at: core.env.clock.monotone()
	};
	core.emit({
		kind: "paused",
		pause: verdict.pause
	});
}
async function refuse(core, operation, refusal, tally) {
	await setOperationAside(core, operation.operationId, refusal);
	tally.setAside += 1;
	core.log({
		event: "setAside",
		operationId: operation.operationId,
		detail: refusal.code
	});
	const { attemptId, operationId } = operation;
	core.emit({
		kind: "setAside",
		attemptId,
		operationId
	});
}
/** Whether the receipt belongs to this operation. */
function isReceiptOf(receipt, operation) {
	return receipt.operationId === operation.operationId && receipt.stream === operation.stream;
}
var RETRY_LATER = {
	kind: "retry",
	cause: "server",
	timedOut: false,
	waitMs: null
};
/** Counts time-outs in a row; any reply ends the row. */
function noteTimeOut({ runtime }, key, sent) {
	if (!sent.ok && sent.failure.timedOut) runtime.timeOuts.set(key, (runtime.timeOuts.get(key) ?? 0) + 1);
	else if (sent.ok) runtime.timeOuts.delete(key);
}
/** Applies the server's reply to the stored operation. */
async function applyReply(core, claimed, sent, token, tally) {
	const { operation } = claimed;
	const key = operation.operationId;
	noteTimeOut(core, key, sent);
	if (sent.ok) {
		if (!isReceiptOf(sent.value, operation)) return scheduleRetry(core, key, operation, RETRY_LATER, tally);
		const how = await acknowledge(core, claimed, sent.value, sent.facts);
		core.runtime.backoffs.succeeded(key);
		if (how === "stale") return void 0;
		tally.acknowledged += 1;
		return announceFinish(core, operation, sent.value);
	}
	const verdict = classify(sent.failure);
	switch (verdict.kind) {
		case "retry": return scheduleRetry(core, key, operation, verdict, tally);
		case "pause": return pauseAll(core, verdict, token);
		case "setAside": return refuse(core, operation, verdict, tally);
		case "renumber": return renumber(core, key);
		case "incomplete": return await fillGaps(core, operation, verdict.missing, verdict.files) ? void 0 : scheduleRetry(core, key, null, RETRY_LATER, tally);
		case "deadlineMoved":
			await reopen(core, operation, verdict.deadline);
			core.emit({
				kind: "deadlineMoved",
				attemptId: operation.attemptId,
				deadline: verdict.deadline
			});
			return;
		case "outOfPlace":
		case "mismatch": return scheduleRetry(core, key, operation, RETRY_LATER, tally);
	}
}
function announceFinish(core, operation, receipt) {
	if (operation.kind !== "finish") return;
	const { attemptId } = operation;
	core.emit({
		kind: receipt.outcome === "superseded" ? "takenOver" : "finished",
		attemptId
	});
}
// ../../tmp/exam-room-release-2nlq5S/src/outbox/send-loop.ts
init_storage();
init_limits();
init_plan();
init_write();
/** All waiting operations and all files of an owner. */
async function readWork(core, owner) {
	return {
		waiting: await core.storage.readAll(["operations"], (tx) => tx.all("operations", "ownerState", [owner, "waiting"])),
		files: await core.storage.readAll(["files"], (tx) => tx.all("files", "owner", owner))
	};
}
/** Whether anything may be sent now: same session, lock held, no pause, no global back-off. */
async function maySend(pass) {
	const { core, session, lock } = pass;
	if (core.runtime.pause || !lock.valid() || !core.runtime.backoffs.allDue()) return false;
	const now = await core.session();
	return now !== null && now.owner === session.owner && now.token === session.token;
}
/** Failures in a row after which an operation that blocks others is checked against another call. */
var PROBE_AFTER = 2;
function failuresOf(core, one) {
	const { backoffs } = core.runtime;
	const files = fileIdsOf(one).map((fileId) => backoffs.failures(fileId));
	return Math.max(backoffs.failures(one.operationId), ...files);
}
/** Whether this answer alone blocks something: its finish, or a newer answer to its question. */
function blocksOthers(suspect, waiting) {
	return waiting.some((one) => one.attemptId === suspect.attemptId && one.stream === suspect.stream && one.sequence > suspect.sequence && (one.kind === "finish" || one.questionId === suspect.questionId));
}
/**
* When only suspects fail and they block others, nothing shows whether the server works: one read-only
* call does, so that a poisoned answer cannot block them for ever.
*/
async function probeServerHealth(pass) {
	const { core, session, lock, tally } = pass;
	const { pause } = core.runtime;
	const exhausted = tally.suspects.filter((one) => failuresOf(core, one) >= PROBE_AFTER && !one.poisoned);
	if (exhausted.length === 0 || tally.acknowledged > 0 || pause !== null || !lock.valid()) return;
	const { waiting } = await readWork(core, session.owner);
	const blocking = exhausted.find((one) => blocksOthers(one, waiting));
	const now = blocking && await core.session();
	if (!now || now.token !== session.token) return;
	await exchange(core, null, () => core.env.transport.savedAnswers(session.token, blocking.attemptId, {}));
}
/**
* The first reply to a page confirms clock and server epoch before any age is sent. A failed probe
* decides nothing.
*/
async function probeFirst(pass) {
	const { core, session } = pass;
	if (core.runtime.probed || !await maySend(pass)) return;
	const { waiting } = await readWork(core, session.owner);
	if (waiting.length === 0) return;
	core.runtime.probed = true;
	const sent = await core.env.transport.probe();
	if (sent.ok) await noteFacts(core, sent.facts, null);
}
var CONCURRENCY = 4;
/** Interval at which a blocked account is checked again. */
var BLOCKED_EVERY_MS = 12e4;
var NOT_RUN = {
	ran: false,
	acknowledged: 0,
	failed: 0,
	setAside: 0,
	waiting: 0,
	pause: null,
	nextInMs: null
};
/** A long text on a slow line needs more than the usual limit: after time-outs twice, then four times as much. */
function timeLimitOf(core, { operationId }) {
	return HTTP_TIMEOUT_MS * 2 ** Math.min(2, core.runtime.timeOuts.get(operationId) ?? 0);
}
async function sendOperation(pass, operation) {
	const { core, session, tally } = pass;
	const claimed = await claimForSending(core, session.owner, operation.operationId);
	if (!claimed) return;
	const { transport } = core.env;
	const { attemptId, answer } = claimed.operation;
	const { manifest, head } = claimed;
	const metadata = {
		head,
		age: core.clock.age({
			era: claimed.operation.writtenEra,
			wall: claimed.operation.writtenWall
		}),
		folded: manifest.folded
	};
	const timeoutMs = timeLimitOf(core, claimed.operation);
	await applyReply(core, claimed, await exchange(core, claimed.attempt, () => answer ? transport.answer(session.token, attemptId, answer, operationHeaders(claimed.operation, metadata), timeoutMs) : transport.finish(session.token, attemptId, finishHeaders(claimed.operation, metadata, manifest), timeoutMs)), session.token, tally);
}
async function sendFile(pass, task) {
	const { core, session, tally } = pass;
	const { file, operation } = task;
	const step = await uploadStep(core, session.token, file, operation);
	if (step.kind === "progress") {
		core.runtime.backoffs.succeeded(file.fileId);
		core.runtime.fileFailures.delete(file.fileId);
		core.runtime.seenSuccesses.set(file.fileId, core.runtime.successes);
		if (operation) await clearFailures(core, operation.operationId);
		return;
	}
	if (step.kind === "refused") return abandonFile(pass, file, operation, step.refusal);
	const { verdict } = step;
	if (verdict.kind === "pause") return pauseAll(core, verdict, session.token);
	if (verdict.kind !== "retry") return void 0;
	await scheduleRetry(core, file.fileId, operation, verdict, tally);
	return operation === null && !verdict.timedOut && countFileFailure(core, file.fileId) ? abandonFile(pass, file, null, FILE_STUCK) : void 0;
}
/** Counts failures of a file that no waiting answer names, like those of operations. True: too many. */
function countFileFailure(core, fileId) {
	const { runtime } = core;
	const isCounted = runtime.successes > (runtime.seenSuccesses.get(fileId) ?? 0);
	runtime.seenSuccesses.set(fileId, runtime.successes);
	const failures = (runtime.fileFailures.get(fileId) ?? 0) + (isCounted ? 1 : 0);
	runtime.fileFailures.set(fileId, failures);
	return failures >= 8;
}
async function abandonFile(pass, file, operation, refusal) {
	await setFileAside(pass.core, file, refusal);
	if (operation) await refuse(pass.core, operation, refusal, pass.tally);
}
async function runTask(pass, task) {
	const { core, tally } = pass;
	const { operation } = task;
	const attemptId = task.kind === "upload" ? task.file.attemptId : task.operation.attemptId;
	if (operation) core.runtime.sending.add(operation.operationId);
	if (operation?.poisoned) core.runtime.triedBeforeFinish.add(operation.operationId);
	if (task.kind === "finish") core.runtime.triedBeforeFinish.clear();
	core.emit({
		kind: "changed",
		attemptId
	});
	try {
		if (task.kind === "upload") await sendFile(pass, task);
		else if (task.kind === "fileLost") await refuse(core, task.operation, task.file?.refusal ?? FILE_LOST, tally);
		else await sendOperation(pass, task.operation);
	} catch (error) {
		core.log({
			event: "taskFailed",
			attemptId,
			detail: String(error)
		});
		tally.failed += 1;
		core.runtime.backoffs.failed(waitKey(task));
	} finally {
		if (operation) core.runtime.sending.delete(operation.operationId);
		core.emit({
			kind: "changed",
			attemptId
		});
	}
}
/** Sends until nothing is sendable. Lanes: several questions, one file, the finish last. */
async function sendAll(pass) {
	const { core, session, rerun } = pass;
	const lanes = core.env.concurrency ?? CONCURRENCY;
	const total = lanes === 1 ? 1 : lanes + 1;
	const running = /* @__PURE__ */ new Map();
	let uploads = 0;
	let queue = [];
	let isStale = true;
	const launch = (task) => {
		const key = taskKey(task);
		if (task.kind === "upload") uploads += 1;
		const done = runTask(pass, task).finally(() => {
			running.delete(key);
			if (task.kind === "upload") uploads -= 1;
			isStale = true;
		});
		running.set(key, done);
	};
	const fits = (task) => {
		if (running.size >= total || running.has(taskKey(task))) return false;
		return task.kind === "upload" ? uploads === 0 : running.size - uploads < lanes;
	};
	const mustReplan = () => rerun.wanted || isStale && queue.length === 0;
	for (;;) {
		const isOpen = await maySend(pass);
		if (!isOpen) queue = [];
		if (isOpen && mustReplan()) {
			isStale = false;
			rerun.wanted = false;
			const { backoffs } = core.runtime;
			queue = planTasks({
				...await readWork(core, session.owner),
				busy: new Set(running.keys()),
				isDue: (key) => backoffs.isDue(key),
				failures: (key) => backoffs.failures(key),
				tried: core.runtime.triedBeforeFinish
			});
		}
		const next = queue.find(fits);
		if (next) {
			queue = queue.filter((task) => task !== next);
			launch(next);
			continue;
		}
		if (running.size === 0) {
			queue = [];
			if (!isOpen || !mustReplan()) return;
			continue;
		}
		if (isOpen && mustReplan()) continue;
		const nudged = new Promise((resolve) => {
			rerun.nudge = resolve;
		});
		await Promise.race([...running.values(), nudged]);
	}
}
async function runPass(pass) {
	const { core, session, tally } = pass;
	await core.storage.store();
	await reopenEarlyFinishes(core, session.owner).catch(ignoreStorageFailure);
	await queueMissedFinishes(core, session.owner);
	await probeFirst(pass);
	await sendAll(pass);
	await probeServerHealth(pass);
	const left = await readWork(core, session.owner);
	return {
		ran: true,
		acknowledged: tally.acknowledged,
		failed: tally.failed,
		setAside: tally.setAside,
		waiting: left.waiting.length,
		pause: core.runtime.pause?.why ?? null,
		nextInMs: core.runtime.pause ? null : core.runtime.backoffs.nextIn(waitingKeys(left))
	};
}
/** A pause ends with another sign-in; a block is checked again periodically; an update needs a reload or the user. */
function endPause(core, session, force) {
	const { pause } = core.runtime;
	if (!pause) return;
	const isRequested = force && pause.why !== "signIn";
	const isOld = pause.why === "blocked" && core.env.clock.monotone() - pause.at >= BLOCKED_EVERY_MS;
	const isOther = pause.why !== "update" && pause.token !== session.token;
	if (isRequested || isOld || isOther) core.runtime.pause = null;
}
/** One pass for the signed-in owner, exclusive over all pages and the worker. */
async function flushOnce(core, force, rerun) {
	await core.ready();
	await core.saveClock();
	const session = await core.session();
	if (!session) return {
		...NOT_RUN,
		pause: core.runtime.pause?.why ?? null
	};
	await retryDeviceKey(core, session.owner);
	endPause(core, session, force);
	if (force) core.runtime.backoffs.forget();
	if (core.runtime.pause) return {
		...NOT_RUN,
		pause: core.runtime.pause.why
	};
	const tally = {
		acknowledged: 0,
		failed: 0,
		setAside: 0,
		suspects: []
	};
	const ran = await core.env.locks.run(`outbox:${session.owner}`, (lock) => runPass({
		core,
		session,
		lock,
		tally,
		rerun
	}));
	return ran.ran ? ran.value : NOT_RUN;
}
// ../../tmp/exam-room-release-2nlq5S/src/outbox/outbox.ts
init_attempts();
init_storage();
init_core();
init_write();
function createOutbox(env) {
	const core = createCore(env);
	const { runtime } = core;
	const rerun = {
		wanted: false,
		nudge: () => void 0
	};
	let running = null;
	env.channel?.listen((message) => {
		if (message.kind === "changed" || message.kind === "finished") core.notify(message);
		else core.notify({
			kind: "written",
			attemptId: null
		});
	});
	async function onClockSet() {
		await core.saveClock();
		const session = await core.session();
		if (session) await reopenEarlyFinishes(core, session.owner);
	}
	core.subscribe((event) => {
		if (event.kind === "clockSet") onClockSet().catch(ignoreStorageFailure);
	});
	async function flush(force) {
		if (running) {
			if (force) runtime.backoffs.forget();
			rerun.wanted = true;
			rerun.nudge();
			return running;
		}
		running = flushOnce(core, force, rerun).finally(() => {
			running = null;
		});
		return running;
	}
	/** Serialized: a user who has just signed out may already be back. */
	let lastTask = Promise.resolve();
	function serialize(task) {
		const next = lastTask.then(task, task);
		lastTask = next;
		return next;
	}
	async function claimTab(attemptId) {
		if (runtime.tabLocks.has(attemptId)) return true;
		const release = await env.locks.hold(`attempt:${attemptId}`).catch(() => () => void 0);
		if (release) runtime.tabLocks.set(attemptId, release);
		if (release) await storeTyped(core);
		const isSecond = release === null;
		if (isSecond === runtime.secondTab.has(attemptId)) return !isSecond;
		if (isSecond) runtime.secondTab.add(attemptId);
		else runtime.secondTab.delete(attemptId);
		core.emit({
			kind: "changed",
			attemptId
		});
		return !isSecond;
	}
	return {
		startAttempt: (testId, options) => startAttempt(core, testId, options),
		adoptStarted: (owner, started) => adoptStarted(core, owner, started),
		adoptSaved: (attemptId, saved) => adoptSaved(core, attemptId, saved),
		adoptDeadline: (attemptId, times) => adoptDeadline(core, attemptId, times),
		attempt: async (attemptId) => {
			const row = await visibleAttempt(core, attemptId);
			return row && toLocal(row);
		},
		attemptByTest: async (owner, testId) => {
			const row = (await attemptsOf(core, owner)).reverse().find((one) => one.testId === testId);
			return row ? toLocal(row) : null;
		},
		runningAttempts: async (owner) => {
			await core.ready();
			const now = core.clock.serverNow() ?? core.clock.wall();
			return (await attemptsOf(core, owner)).filter((row) => row.state === "running" && !row.takenOver && !row.gone).filter((row) => now < row.deadline).map(toLocal);
		},
		snapshot: (attemptId) => snapshot(core, attemptId),
		syncState: async (attemptId) => {
			return (attemptId === void 0 ? null : await snapshot(core, attemptId))?.sync ?? ownersSync(core);
		},
		unsentCount: (owner) => unsentCount(core, owner),
		unsentAttempts: (owner) => readUnsentAttempts(core, owner),
		othersWaiting: (owner) => othersWaiting(core, owner),
		serverNow: () => core.clock.serverNow(),
		subscribe: (listener) => core.subscribe(listener),
		answer: async (attemptId, answer) => {
			const stored = await writeAnswer(core, attemptId, answer);
			if (stored.saved) forgetTyped(core, attemptId, answer);
			return stored;
		},
		noteTyped: (attempt, answer) => noteTyped(core, attempt, answer),
		storeTyped: () => storeTyped(core),
		addFile: (attemptId, questionId, file, place = (_, added) => [added]) => addFile(core, attemptId, questionId, file, place),
		changeFiles: (attemptId, questionId, change) => changeFiles(core, attemptId, questionId, change),
		finish: (attemptId, reason) => writeFinish(core, attemptId, reason),
		setMark: (attemptId, questionId, marked) => changeAttempt(core, attemptId, (row) => {
			const others = row.marks.filter((id) => id !== questionId);
			return {
				...row,
				marks: marked ? [...others, questionId] : others
			};
		}),
		setLastQuestion: (attemptId, lastQuestionId) => changeAttempt(core, attemptId, (row) => ({
			...row,
			lastQuestionId
		})),
		fileBytes: (fileId) => fileBytes(core, fileId),
		flush: (options = {}) => flush(options.force ?? false),
		opened: async () => {
			await core.ready();
			const session = await core.session();
			if (!session) return;
			await retryAtStartup(core, session.owner);
			await reopenEarlyFinishes(core, session.owner).catch(ignoreStorageFailure);
			await queueMissedFinishes(core, session.owner);
			await deleteExpiredAttempts(core, session.owner);
		},
		retrySetAside: (attemptId) => retrySetAside(core, attemptId),
		observe: async (facts) => {
			await noteFacts(core, facts, null);
			if (facts.status < 300 && facts.route !== "health") noteSuccess(core);
		},
		report: () => reportHeads(core),
		reachability: () => runtime.reachability,
		setReachability: (reachability) => setReachability(core, reachability),
		claimTab,
		releaseTab: (attemptId) => {
			runtime.tabLocks.get(attemptId)?.();
			runtime.tabLocks.delete(attemptId);
			runtime.secondTab.delete(attemptId);
		},
		openRows: (owner, deviceKey) => serialize(() => openRows(core, owner, deviceKey)),
		encryptRows: () => serialize(() => encryptRows(core)),
		unreadable: () => Promise.resolve(runtime.unreadable),
		exportUnsent: (owner) => exportUnsent(core, owner)
	};
}
// ../../tmp/exam-room-release-2nlq5S/src/storage/connection.ts
/**
* One connection to an IndexedDB database. A transaction that has not committed when WebKit puts the
* page into the back/forward cache is frozen with it and blocks every later one of the origin until
* the browser ends. So when the page is hidden its transactions are aborted and the connection is
* closed (in WebKit neither is enough alone), and nothing begins before it is shown. A transaction on
* which `commit` was called completes without the page.
*/
function createConnection(open, page) {
	let opening = null;
	let database = null;
	const live = /* @__PURE__ */ new Map();
	let isHidden = false;
	let shown = Promise.resolve();
	let show = () => void 0;
	function drop() {
		const closing = database;
		opening = null;
		database = null;
		closing?.close();
	}
	function connect() {
		if (opening) return opening;
		const current = open().then((db) => {
			const forget = () => {
				if (opening === current) opening = database = null;
			};
			db.addEventListener("close", forget);
			db.addEventListener("versionchange", () => {
				forget();
				db.close();
			});
			if (opening === current) database = db;
			else db.close();
			return db;
		});
		opening = current;
		current.catch(() => {
			if (opening === current) opening = null;
		});
		return current;
	}
	function interrupt() {
		for (const [transaction, onInterrupted] of live) {
			try {
				transaction.abort();
			} catch {
				continue;
			}
			onInterrupted?.();
		}
		live.clear();
	}
	const stopHiding = page?.onHide((mayReturn) => {
		if (!isHidden) shown = new Promise((resolve) => {
			show = resolve;
		});
		isHidden = true;
		if (mayReturn) interrupt();
		drop();
	});
	const stopShowing = page?.onShow(() => {
		isHidden = false;
		show();
	});
	return {
		async use() {
			for (;;) {
				await shown;
				const db = await connect();
				if (!isHidden) return db;
			}
		},
		track(transaction, onInterrupted) {
			live.set(transaction, onInterrupted);
			const forget = () => void live.delete(transaction);
			transaction.addEventListener("complete", forget);
			transaction.addEventListener("abort", forget);
		},
		drop,
		close() {
			stopHiding?.();
			stopShowing?.();
			drop();
		}
	};
}
// ../../tmp/exam-room-release-2nlq5S/src/storage/repair-rows.ts
init_rows();
function createRowRepair(log) {
	const foundBroken = /* @__PURE__ */ new Map();
	const allStores = Object.keys(STORES);
	async function move(store, key, original, issue, tx) {
		const row = {
			id: `${store}:${JSON.stringify(key)}`,
			store,
			original,
			issue
		};
		await tx.objectStore("broken").put?.(row);
		await tx.objectStore(store).delete?.(key);
	}
	return {
		allStores,
		parsed: async (store, key, found, tx) => {
			const result = v.safeParse(STORES[store].schema, found);
			if (result.success) return result.output;
			const [first] = result.issues;
			const issue = `${v.getDotPath(first) ?? ""}: ${first.message}`;
			if (tx.mode === "readonly") {
				foundBroken.set(JSON.stringify([store, key]), {
					store,
					key
				});
				return null;
			}
			log?.({
				kind: "brokenRow",
				store,
				issue
			});
			await move(store, key, found, issue, tx);
			return null;
		},
		found: () => foundBroken.size > 0,
		stores: () => [...new Set([...foundBroken.values()].map((item) => item.store))],
		moveFound: async (tx) => {
			const items = [...foundBroken.values()];
			foundBroken.clear();
			for (const { store, key } of items) await tx.get(store, key);
		},
		restoreBroken: async (tx) => {
			for (const row of await tx.all("broken")) {
				const store = allStores.find((name) => name === row.store);
				if (!store || !v.is(STORES[store].schema, row.original)) continue;
				await tx.put(store, row.original);
				await tx.delete("broken", row.id);
				log?.({
					kind: "mendedRow",
					store
				});
			}
		}
	};
}
// ../../tmp/exam-room-release-2nlq5S/src/storage/indexeddb.ts
init_rows();
init_storage();
var DATABASE = "exam-room";
/** Raised when stores or indexes are added. */
var DATABASE_VERSION = 1;
var OPEN_TIMEOUT_MS = 1e4;
/** Stores and indexes are only added: rows of an older app stay unchanged. */
function upgrade(db, transaction) {
	for (const name of Object.keys(STORES)) {
		const { keyPath, indexes } = STORES[name];
		const store = db.objectStoreNames.contains(name) ? transaction.objectStore(name) : db.createObjectStore(name, { keyPath });
		for (const [index, path] of Object.entries(indexes)) if (!store.indexNames.contains(index)) store.createIndex(index, path);
	}
}
/** A database upgraded by a newer app is opened with its own version: upgrades only add. */
async function openAny(factory, timeoutMs, track) {
	try {
		return await open(factory, DATABASE_VERSION, timeoutMs, track);
	} catch (error) {
		if (nameOf(error) !== "VersionError") throw error;
		return open(factory, void 0, timeoutMs, track);
	}
}
async function open(factory, version, timeoutMs, track) {
	const request = factory.open(DATABASE, version);
	const interrupted = new Promise((_resolve, reject) => {
		request.addEventListener("upgradeneeded", () => {
			if (!request.transaction) return;
			track(request.transaction, () => reject(new StorageFailure("lost")));
			upgrade(request.result, request.transaction);
		});
	});
	let timer;
	const late = new Promise((_resolve, reject) => {
		timer = setTimeout(() => {
			request.addEventListener("success", () => request.result.close());
			reject(new StorageFailure("silent"));
		}, timeoutMs);
	});
	try {
		return await Promise.race([
			wrap(request),
			late,
			interrupted
		]);
	} finally {
		clearTimeout(timer);
	}
}
var nameOf = (error) => typeof error === "object" && error !== null && "name" in error ? String(error.name) : "";
/** WebKit's «connection is closing», a closed handle, a lost database process. */
function isLost(error) {
	const message = error instanceof Error ? error.message : "";
	return error instanceof StorageFailure && error.kind === "lost" || nameOf(error) === "InvalidStateError" || nameOf(error) === "UnknownError" || /connection (is closing|to indexed database server lost)|database (is )?clos/i.test(message);
}
function toFailure(error) {
	if (nameOf(error) === "QuotaExceededError") return new StorageFailure("quota", error);
	if (isLost(error)) return new StorageFailure("lost", error);
	return error instanceof DOMException ? new StorageFailure("failed", error) : error;
}
function transactionOver(tx, rowRepair) {
	return {
		get: async (store, key) => {
			const found = await tx.objectStore(store).get(key);
			return found === void 0 ? null : await rowRepair.parsed(store, key, found, tx);
		},
		all: async (store, index, value) => {
			const source = tx.objectStore(store);
			const found = index === void 0 ? await source.getAll() : await source.index(index).getAll(value);
			const rows = [];
			for (const item of found) {
				const row = await rowRepair.parsed(store, keyOf$1(store, item), item, tx);
				if (row !== null) rows.push(row);
			}
			return rows;
		},
		put: async (store, row) => {
			await tx.objectStore(store).put?.(row);
		},
		delete: async (store, key) => {
			await tx.objectStore(store).delete?.(key);
		}
	};
}
/** A transaction that takes longer is aborted: it would hang for ever. */
var TRANSACTION_TIMEOUT_MS = 1e4;
/** After a hung transaction nothing is tried for this long. */
var SILENCE_MS = 3e4;
/** Storage over one IndexedDB factory. */
async function createIndexedDbStorage(factory, { log, page, openTimeoutMs = OPEN_TIMEOUT_MS, transactionTimeoutMs = TRANSACTION_TIMEOUT_MS }) {
	const rowRepair = createRowRepair(log);
	const connection = createConnection(() => openAny(factory, openTimeoutMs, connection.track), page);
	let isClosed = false;
	/** The database is treated as silent until this `performance.now()`. */
	let silentUntil = 0;
	/** Aborts a transaction that does not end in time. */
	async function inTime(tx, running) {
		let timer;
		const late = new Promise((_resolve, reject) => {
			connection.track(unwrap(tx), () => reject(new StorageFailure("lost")));
			timer = setTimeout(() => {
				silentUntil = performance.now() + SILENCE_MS;
				log?.({ kind: "silent" });
				try {
					tx.abort();
				} catch {}
				reject(new StorageFailure("silent"));
			}, transactionTimeoutMs);
		});
		running.then(() => silentUntil = 0, () => void 0);
		try {
			return await Promise.race([running, late]);
		} finally {
			clearTimeout(timer);
		}
	}
	async function once(mode, stores, run) {
		if (isClosed) throw new StorageFailure("lost");
		if (performance.now() < silentUntil) throw new StorageFailure("silent");
		const db = await connection.use();
		const scope = mode === "readwrite" ? [.../* @__PURE__ */ new Set([...stores, "broken"])] : [...stores];
		const tx = db.transaction(scope, mode, { durability: mode === "readwrite" ? "strict" : "default" });
		return inTime(tx, complete(tx, run));
	}
	async function complete(tx, run) {
		const done = tx.done;
		done.catch(() => void 0);
		let result;
		try {
			result = await run(transactionOver(tx, rowRepair));
		} catch (error) {
			const cause = tx.error;
			try {
				tx.abort();
			} catch {}
			throw cause ?? error;
		}
		try {
			tx.commit();
		} catch {}
		await done;
		return result;
	}
	async function twice(mode, stores, run) {
		try {
			return await once(mode, stores, run);
		} catch (error) {
			if (!isLost(error) || isClosed) throw toFailure(error);
			log?.({
				kind: "connectionLost",
				issue: String(error)
			});
			connection.drop();
		}
		try {
			return await once(mode, stores, run);
		} catch (error) {
			throw toFailure(error);
		}
	}
	const storage = {
		durable: true,
		read: async (stores, run) => {
			const result = await twice("readonly", stores, run);
			if (rowRepair.found()) await twice("readwrite", rowRepair.stores(), (tx) => rowRepair.moveFound(tx)).catch(() => void 0);
			return result;
		},
		write: (stores, run) => twice("readwrite", stores, run),
		close: () => {
			connection.close();
			isClosed = true;
		}
	};
	try {
		await storage.write(rowRepair.allStores, (tx) => rowRepair.restoreBroken(tx));
	} catch (error) {
		storage.close();
		throw new StorageFailure("unopenable", error);
	}
	return storage;
}
// ../../tmp/exam-room-release-2nlq5S/src/storage/open.ts
init_memory();
/** Opens the device's database. Throws `StorageFailure('unopenable')`. */
async function openStorage(factory, options = {}) {
	return createIndexedDbStorage(factory, options);
}
// ../../tmp/exam-room-release-2nlq5S/simulation/app-modules.ts
init_storage();
/** What a simulated page runs of the app; `scripts/release-client.mjs` builds the same of a release. */
var presentApp = {
	createCaller,
	createOutbox,
	createTransport,
	leaseLocks,
	openStorage,
	StorageFailure,
	webLocks,
	wireVersion: 1
};
export { presentApp };
