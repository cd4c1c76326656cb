/** A socket to a table, kept alive: it reconnects and repeats unanswered requests. */
import { PROTOCOL_VERSION } from '../protocol';
import type {
  Bye,
  Done,
  FromClient,
  FromServer,
  Hello,
  HintDone,
  JoinDone,
  Lang,
  LanguageDone,
  Outlook,
  Pong,
  TallyDone,
} from '../protocol';

export type Answer = Done | JoinDone | HintDone | LanguageDone | Outlook | TallyDone | Pong;
type WithoutId<T> = T extends { id: number } ? Omit<T, 'id'> : never;
export type Request = WithoutId<Exclude<FromClient, Hello>>;

/** `gone`: the server refuses us, and reconnecting would not help. */
export type Status = 'connecting' | 'open' | 'lost' | 'gone';

/** The server refused a request. */
export class Refusal extends Error {
  constructor(
    readonly id: string,
    text: string,
  ) {
    super(text);
  }
}

const FINAL = new Set([4400, 4403, 4404, 4410]);
const FIRST_WAIT = 300;
const LONGEST_WAIT = 8_000;
/** A socket that is silent for this long is pinged. */
const PING_EVERY = 15_000;
const PONG_WITHIN = 6_000;

export interface Hearer {
  /** Returns who we are, and the last step we know of: sent with every hello. */
  hello(): { token: string | null; since: number | null; lang: Lang };
  onMessage(message: FromServer): void;
  status(status: Status, bye: Bye | null): void;
  /** When messages are heard, those that came together at once; without it as soon as they come. */
  soon?(hear: () => void): void;
}

interface Open {
  raw: string;
  resolve(answer: Answer): void;
  reject(error: Refusal): void;
}

export class Connection {
  #socket: WebSocket | null = null;
  #open = new Map<number, Open>();
  #ids = 0;
  #wait = FIRST_WAIT;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setInterval> | undefined;
  #lastHeard = 0;
  /** What has come, and is not heard yet. */
  #heard: string[] = [];
  #welcomed = false;
  #closed = false;
  #bye: Bye | null = null;

  /** `closed`: never connect, as if it were closed at once. */
  constructor(
    readonly table: string,
    readonly hearer: Hearer,
    closed = false,
  ) {
    this.#closed = closed;
    if (closed) return;
    addEventListener('online', this.#atOnce);
    addEventListener('offline', this.#cut);
    document.addEventListener('visibilitychange', this.#atOnce);
    this.#connect();
  }

  /** Send a request; resolves when it is done, however often the connection is lost. */
  ask(request: Request): Promise<Answer> {
    this.#ids += 1;
    const id = this.#ids;
    const raw = JSON.stringify({ ...request, id });
    return new Promise((resolve, reject) => {
      this.#open.set(id, { raw, resolve, reject });
      if (this.#welcomed) this.#socket?.send(raw);
    });
  }

  /** Close for good. */
  close(): void {
    this.#closed = true;
    removeEventListener('online', this.#atOnce);
    removeEventListener('offline', this.#cut);
    document.removeEventListener('visibilitychange', this.#atOnce);
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
    const socket = this.#socket;
    this.#heard = [];
    this.#socket = null; // ignore what still arrives, and send nothing
    this.#open.clear();
    socket?.close();
  }

  #connect(): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    const address = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`;
    const socket = new WebSocket(address);
    this.#socket = socket;
    this.#bye = null;
    socket.onopen = () => {
      const hello = { type: 'hello', version: PROTOCOL_VERSION, table: this.table };
      socket.send(JSON.stringify({ ...hello, ...this.hearer.hello() }));
      this.#lastHeard = Date.now();
      this.#watch = setInterval(() => this.#check(), 1_000);
    };
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#came(String(event.data));
    };
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#lost(event.code);
    };
  }

  #came(raw: string): void {
    this.#lastHeard = Date.now();
    this.#heard.push(raw);
    if (this.#heard.length > 1) return;
    if (this.hearer.soon) this.hearer.soon(this.#hearAll);
    else this.#hearAll();
  }

  #hearAll = (): void => {
    for (const raw of this.#heard.splice(0)) this.#hear(JSON.parse(raw) as FromServer);
  };

  #hear(message: FromServer): void {
    if (message.type === 'bye') this.#bye = message;
    if (message.type === 'welcome') this.#wait = FIRST_WAIT;
    this.hearer.onMessage(message);
    if (message.type === 'welcome') this.#welcome();
    else if (message.type === 'refused') this.#refuse(message.id, message.error, message.text);
    else if ('id' in message) this.#settle(message);
  }

  #welcome(): void {
    this.#welcomed = true;
    this.hearer.status('open', null);
    for (const { raw } of this.#open.values()) this.#socket?.send(raw);
  }

  #settle(answer: Answer): void {
    this.#open.get(answer.id)?.resolve(answer);
    this.#open.delete(answer.id);
  }

  #refuse(id: number | null, error: string, text: string): void {
    if (id === null) return;
    this.#open.get(id)?.reject(new Refusal(error, text));
    this.#open.delete(id);
  }

  #lost(code: number): void {
    this.#hearAll();
    clearInterval(this.#watch);
    this.#socket = null;
    this.#welcomed = false;
    if (this.#closed) return;
    if (FINAL.has(code)) {
      this.#closed = true;
      this.hearer.status('gone', this.#bye);
      return;
    }
    this.hearer.status('lost', this.#bye);
    this.#timer = setTimeout(() => this.#connect(), this.#wait * (0.5 + Math.random() / 2));
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }

  /** Ping a silent connection from time to time, and give it up if there is no answer. */
  #check(): void {
    const silent = Date.now() - this.#lastHeard;
    if (silent > PING_EVERY + PONG_WITHIN) this.#cut();
    else if (silent > PING_EVERY && this.#welcomed) {
      this.#ids += 1;
      this.#socket?.send(JSON.stringify({ type: 'ping', id: this.#ids }));
    }
  }

  #cut = (): void => {
    const socket = this.#socket;
    if (!socket) return;
    socket.onclose = null;
    socket.close();
    this.#lost(0);
  };

  #atOnce = (): void => {
    if (document.visibilityState === 'hidden' || this.#socket || this.#closed) return;
    this.#wait = FIRST_WAIT;
    this.#connect();
  };
}
