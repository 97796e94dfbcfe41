/** The document's title: `Demo · Orders`, so that a tab says whose it is. */
import { useEffect } from 'react'
import { documentTitle } from '#ui/navigation/document-title.ts'
import { companyOfHost } from '#ui/query/request-context.ts'

interface OpenTitle {
  title: string
}

/** Titles of open pages, the latest last. */
const open: OpenTitle[] = []
/** The title while no page names its own. */
let fallback = ''

/** What stands before each title, such as the sign of a recording. */
let mark = ''

function show(): void {
  const title = open.at(-1)?.title ?? fallback
  if (title) document.title = mark + documentTitle(companyOfHost(), title)
}

/** Shows a sign before the titles of all pages; an empty one takes it away. */
export function markTitles(sign: string): void {
  mark = sign
  show()
}

/** Shows a page's title until the answer is called, which shows the one before it. */
export function openTitle(title: string): () => void {
  const page = { title }
  open.push(page)
  show()
  return () => {
    open.splice(open.indexOf(page), 1)
    show()
  }
}

/** Shows a title wherever no open page has its own. */
export function setFallbackTitle(title: string): void {
  fallback = title
  show()
}

// The outside system of both is the document.
export function usePageTitle(title: string): void {
  useEffect(() => openTitle(title), [title])
}

/** The frame around the pages: its effect runs after theirs and must not replace their titles. */
export function useFallbackTitle(title: string): void {
  useEffect(() => setFallbackTitle(title), [title])
}
