/** The cache of answers, and the toasts of commands. */
import { MutationCache, QueryClient } from '@tanstack/react-query'
import { toastError, toastSuccess } from '#ui/kit/toasts.ts'
import { CallError } from '#ui/query/call-error.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      gcTime: 300_000,
      // The browser's idea of "offline" is often wrong in a warehouse: send the call in any case.
      networkMode: 'always',
      retry: (failures, error) => failures < 2 && error instanceof CallError && [429, 444, 502, 503, 504].includes(error.status),
      retryDelay: failures => 400 * 2 ** failures,
    },
    mutations: { networkMode: 'always', retry: false },
  },
  mutationCache: new MutationCache({
    onSuccess: (answer, input, _result, { meta }) => {
      const said = meta?.said
      if (said !== undefined) toastSuccess(typeof said === 'function' ? said(answer, input) : said)
    },
    onError: (error, _input, _result, { meta }) => {
      if (!meta?.quiet) toastError(error)
    },
  }),
})
