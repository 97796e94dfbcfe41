/** The document's title: `Demo · Orders`, so that a tab says whose it is. */
import { useEffect } from 'react'
import { documentTitle } from '#ui/navigation/navigation.ts'
import { companyOfHost } from '#ui/query/request-context.ts'

/** Titles of open pages, the innermost last. */
export function usePageTitle(title: string): void {
  // The outside system is the document.
  useEffect(() => {
    document.title = documentTitle(companyOfHost(), title)
  }, [title])
}
