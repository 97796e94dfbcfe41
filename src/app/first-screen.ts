/** Finds out when the first screen of a visit is drawn and its questions are answered. */
import { firstScreenIsDrawn } from '#ui/kit/first-screen.ts'
import { queryClient } from './query-client.ts'
import { router } from './router.tsx'

/** Milliseconds without a question: the code of a screen's parts may still be on its way, and asks when it is drawn. */
const quiet = 200

export function watchFirstScreen(): void {
  const leaveRouter = router.subscribe('onRendered', () => {
    leaveRouter()
    let timer: ReturnType<typeof setTimeout> | undefined
    const leaveCache = queryClient.getQueryCache().subscribe(wait)
    function wait() {
      clearTimeout(timer)
      if (queryClient.isFetching() > 0) return
      timer = setTimeout(() => {
        leaveCache()
        firstScreenIsDrawn()
      }, quiet)
    }
    wait()
  })
}
