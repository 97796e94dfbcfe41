/** Waiting, failed or there: the three ends of a call, written once. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CallError } from '#ui/query/call-error.ts'
import { Failed } from './ErrorState.tsx'
import { Waiting } from './Skeleton.tsx'

interface LoadedProps<T> {
  of: UseQueryResult<T, CallError>
  shape?: 'rows' | 'form' | 'page'
  children: (answer: T) => ReactNode
}

/** `<Loaded of={useCall(orders.get, { id })}>{order => <Order order={order} />}</Loaded>`; an older answer stays while a refresh fails. */
export function Loaded<T>({ of, shape = 'page', children }: LoadedProps<T>) {
  if (of.data !== undefined) return children(of.data)
  if (of.error) return <Failed error={of.error} again={() => void of.refetch()} />
  return <Waiting shape={shape} />
}
