/** Waiting, failed or there: the three ends of a call, written once. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CallError } from '#ui/query/call-error.ts'
import { ErrorState } from './ErrorState.tsx'
import { Skeleton } from './Skeleton.tsx'

interface QueryStateProps<T> {
  of: UseQueryResult<T, CallError>
  shape?: 'rows' | 'form' | 'page'
  children: (answer: T) => ReactNode
}

/** `<QueryState of={useCall(orders.get, { id })}>{order => <Order order={order} />}</QueryState>`; an older answer stays while a refresh fails. */
export function QueryState<T>({ of, shape = 'page', children }: QueryStateProps<T>) {
  if (of.data !== undefined) return children(of.data)
  if (of.error) return <ErrorState error={of.error} again={() => void of.refetch()} />
  return <Skeleton shape={shape} />
}
