/** Finds out when the first screen of a visit is drawn and its questions are answered. */
import { firstScreenIsDrawn } from '#ui/kit/first-screen.ts'
import { queryClient } from './query-client.ts'
import { router } from './router.tsx'

export function watchFirstScreen(): void {
  const leaveRouter = router.subscribe('onRendered', () => {
    leaveRouter()
    // The effects of the screen that was drawn begin its questions.
    setTimeout(() => {
      const leaveCache = queryClient.getQueryCache().subscribe(check)
      function check() {
        if (queryClient.isFetching() > 0) return
        leaveCache()
        firstScreenIsDrawn()
      }
      check()
    })
  })
}
