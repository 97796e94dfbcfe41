/** The browser's end of the grammar: a call line becomes a request, a cached answer, a command. */
import {
  hashKey,
  keepPreviousData,
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Call, FileAnswer, RequestInput, ResponseOutput } from '#contract/endpoint.ts'
import { CallError, errorFrom, noAnswer, tooLate } from './call-error.ts'
import type { Interest } from './change-stream.ts'
import { invalidate, rememberPrefetch } from './query-invalidation.ts'
import { apiHost, authorization, companyOfHost, stationHeader } from './request-context.ts'

/** What arrives here: a file call gives a `File` (a Blob with its name), every other call its JSON answer. */
export type Received<C extends Call> = ResponseOutput<C> extends FileAnswer ? File : ResponseOutput<C>
/** What is sent: the call's own fields; an upload call has its file among them. */
export type Sending<C extends Call> = RequestInput<C>

const patience = { normal: 300_000, long: 900_000 } as const

type Fields = Record<string, unknown>

/** `POST orders/{id}/set_state/{state}` with its fields → `/api/demo/orders/7/set_state/ready`. A `{ids*}` keeps its slashes. */
export function urlOf(call: Pick<Call, 'path'>, input: Fields, company: string = companyOfHost()): string {
  const inPath = new Set<string>(['body', 'upload'])
  const path = call.path.replace(/\{(\w+)(\*?)\}/g, (_place, name: string, rest: string) => {
    inPath.add(name)
    const value = String(input[name] ?? '')
    return rest ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value)
  })
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) {
    if (inPath.has(name) || value === undefined || value === null || value === '') continue
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one))
  }
  const text = query.toString()
  return `/api/${company}/${path}${text === '' ? '' : `?${text}`}`
}

/** Called when a call made with this token was answered 401. */
let unauthorizedListener: (token: string) => void = () => {}
export const onUnauthorized = (listener: (token: string) => void): void => {
  unauthorizedListener = listener
}

interface SendExtras {
  signal?: AbortSignal
  headers?: Record<string, string>
  /** Sends and takes cookies: for boards, which have no session, and for tickets of elements that send no header. */
  cookies?: true
}

/**
 * Makes a call. Gives up after 5 minutes (15 for `long` calls) with 408; no answer at all is 444.
 * @throws {CallError} for every refusal and failure
 */
export async function send<C extends Call>(call: C, input: Sending<C>, options: SendExtras = {}): Promise<Received<C>> {
  const fields = input as Fields
  const headers: Record<string, string> = { accept: 'application/json', ...authorization(), ...stationHeader(), ...options.headers }
  const upload = fields.upload instanceof Blob ? fields.upload : undefined
  let body: BodyInit | undefined = upload
  if (upload) {
    headers['content-type'] = upload.type || 'application/octet-stream'
    if (upload instanceof File) headers['x-file-name'] = encodeURIComponent(upload.name)
  }
  if (!upload && fields.body !== undefined) {
    headers['content-type'] = 'application/json'
    body = JSON.stringify(fields.body)
  }
  const limit = AbortSignal.timeout(patience[call.timeout])
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
  const url = apiHost() + urlOf(call, fields)
  let response: Response
  try {
    response = await fetch(url, {
      method: call.method,
      headers,
      body,
      signal,
      cache: 'no-store',
      credentials: options.cookies ? 'same-origin' : 'omit',
    })
    if (!response.ok) throw errorFrom(response.status, response.headers.get('content-type') ?? '', await response.text())
    return (await answerOf(call, response)) as Received<C>
  } catch (error) {
    if (error instanceof CallError) {
      if (error.status === 401 && headers.authorization) unauthorizedListener(headers.authorization)
      throw error
    }
    throw signal.aborted ? tooLate() : noAnswer()
  }
}

async function answerOf(call: Call, response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  if (call.media) {
    const blob = await response.blob()
    return new File([blob], fileName(response.headers.get('content-disposition')), { type: blob.type })
  }
  const text = await response.text()
  return text === '' ? undefined : JSON.parse(text)
}

/** The name in `content-disposition`, in its plain or its UTF-8 form (RFC 6266). */
export function fileName(disposition: string | null): string {
  const encoded = /filename\*=utf-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (encoded) return decodeURIComponent(encoded)
  return /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1] ?? 'file'
}

/** The key of a call's cached answers; without input it names all of them. */
export const keyOf = (call: Call, input?: unknown): readonly unknown[] => (input === undefined ? [call.line] : [call.line, input])

export interface CallOptions {
  enabled?: boolean
  /** Asks again when something of these topics, or one of these objects, changes anywhere. */
  live?: readonly Interest[]
  /** … unless it is shown: then the screen decides. */
  calm?: boolean
  /** Shows the last answer while the next input is asked for, so that lists do not blink. */
  keep?: boolean
  /** Milliseconds during which an answer is not asked for again; 10 s unless given. */
  fresh?: number
  /** Asks again every so many milliseconds. */
  every?: number
}

/** What a call answers, kept and shared: `const order = useCall(orders.get, { id }, { live: ['order'] })`. */
export function useCall<C extends Call>(
  call: C,
  input: RequestInput<C>,
  options: CallOptions = {},
): UseQueryResult<Received<C>, CallError> {
  return useQuery<Received<C>, CallError>({
    queryKey: keyOf(call, input),
    // A call without an answer gives nothing, which the cache would not take for an answer.
    queryFn: async ({ signal }) => (await send(call, input, { signal })) ?? (null as Received<C>),
    meta: { ...(options.live && { live: options.live }), ...(options.calm && { manual: true }) },
    ...(options.enabled === undefined ? {} : { enabled: options.enabled }),
    ...(options.keep ? { placeholderData: keepPreviousData } : {}),
    ...(options.fresh === undefined ? {} : { staleTime: options.fresh }),
    ...(options.every === undefined ? {} : { refetchInterval: options.every }),
  })
}

/** Asks now for what a screen shows soon; the screen finds the answer, or the question on its way. What fails is asked again there. */
export function prefetchCall<C extends Call>(cache: QueryClient, call: C, input: RequestInput<C>): void {
  const queryKey = keyOf(call, input)
  rememberPrefetch(hashKey(queryKey))
  void cache.prefetchQuery({ queryKey, queryFn: ({ signal }) => send(call, input, { signal }), retry: false })
}

/** What a command's toasts say; the query client shows them for every command (see `app/query-client.ts`). */
interface CommandMessages {
  said?: string | ((answer: unknown, input: unknown) => string) | undefined
  quiet?: boolean | undefined
}
declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: CommandMessages & Record<string, unknown>
  }
}

export interface CommandOptions<Answer, Input> {
  /** The calls whose answers this command changes. */
  refreshes?: readonly Call[]
  /** The call that reads by `id` what this command answers: screens show the answer at once and send its version with the next command. */
  updates?: Call
  /** Said in a toast when it worked. */
  said?: string | ((answer: Answer, input: Input) => string)
  /** The caller shows failures itself; otherwise a toast does. */
  quiet?: boolean
  done?: (answer: Answer, input: Input) => void
}
export type SendOptions<C extends Call> = CommandOptions<Received<C>, Sending<C>>

/** A command: `const pin = useSend(orders.pin, { refreshes: [orders.search, orders.get] }); pin.mutate({ id })`. */
export const useSend = <C extends Call>(call: C, options: SendOptions<C> = {}): UseMutationResult<Received<C>, CallError, Sending<C>> =>
  useCommand((input: Sending<C>) => send(call, input), options)

/** A command that makes one of several calls, chosen by its input. */
export function useCommand<Answer, Input>(
  run: (input: Input) => Promise<Answer>,
  options: CommandOptions<Answer, Input> = {},
): UseMutationResult<Answer, CallError, Input> {
  const cache = useQueryClient()
  return useMutation<Answer, CallError, Input>({
    mutationFn: run,
    meta: { said: options.said as CommandMessages['said'], quiet: options.quiet },
    onSuccess: async (answer, input) => {
      if (options.updates && hasId(answer)) cache.setQueryData(keyOf(options.updates, { id: answer.id }), answer)
      options.done?.(answer, input)
      await Promise.all((options.refreshes ?? []).map(one => invalidate(cache, { queryKey: keyOf(one) })))
    },
  })
}

const hasId = (answer: unknown): answer is { id: unknown } => typeof answer === 'object' && answer !== null && 'id' in answer

/** Saves a file that a call gave. */
export function saveFile(file: File): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = file.name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
