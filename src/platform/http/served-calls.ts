/** Calls as the server has them: each joined with the schemas of its contract. */
import * as z from 'zod'
import type { Call, CallSchemas, Calls, ContractSchemas } from '#contract/endpoint.ts'

/** A call with what validates its input, shapes its answer and documents it. */
export interface ServedCall extends Call {
  params: z.ZodType
  query: z.ZodType | undefined
  body: z.ZodType | undefined
  reply: z.ZodType | undefined
  summary: string | undefined
  itemSchema: z.ZodType | undefined
  example: Record<string, unknown> | undefined
  /** Schemas of the whole contract that the OpenAPI document lists by name. */
  components: Record<string, z.ZodType>
}

export const serveCalls = (calls: Calls, schemas: ContractSchemas): Record<string, ServedCall> =>
  Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, serveCall(call, schemas.calls[name] ?? {}, schemas.components)]))

function serveCall(call: Call, schemas: CallSchemas, components: ContractSchemas['components'] = {}): ServedCall {
  const names = [...call.path.matchAll(/\{(\w+)\*?\}/g)].map(([, name = '']) => name)
  return {
    ...call,
    params: z.object(Object.fromEntries(names.map(name => [name, schemas.params?.[name] ?? (/(^|_)id$/.test(name) ? id : text)]))),
    query: schemas.query,
    body: schemas.body,
    reply: schemas.reply,
    summary: schemas.summary,
    itemSchema: schemas.itemSchema,
    example: schemas.example,
    components,
  }
}

const text = z
  .string()
  .max(512)
  .refine(value => !value.includes('\u0000'), 'It holds a character that cannot be stored')
const id = z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER)
