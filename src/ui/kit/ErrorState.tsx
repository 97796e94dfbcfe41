/** Something failed: what happened, what to do, and what support asks for behind a word. */
import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { CallError } from '#ui/query/call-error.ts'
import { AccessDenied, EmptyState } from './EmptyState.tsx'
import { ErrorDetails } from './ErrorDetails.tsx'
import { DisconnectedIllustration } from './illustrations.tsx'
import { errorReference, errorSentence, isMissingPart } from './toasts.ts'
import { useT } from './translate.ts'

export function ErrorState({ error, again }: { error: unknown; again?: () => void }) {
  const t = useT()
  if (error instanceof CallError && error.status === 403) return <AccessDenied>{errorSentence(error)}</AccessDenied>
  const retry = again && mayPass(error) ? again : undefined
  // The browser does not fetch a part again that failed once: only a fresh page does.
  const fresh = isMissingPart(error) ? () => location.reload() : undefined
  return (
    <div role="alert">
      <EmptyState
        illustration={<DisconnectedIllustration />}
        title={errorSentence(error)}
        action={
          (fresh ?? retry) ? (
            <Button leftSection={<IconRefresh size={16} />} onClick={fresh ?? retry}>
              {fresh ? t('Load page again') : t('Try again')}
            </Button>
          ) : undefined
        }
      >
        {error instanceof CallError && error.status === 444 ? (
          <p>{t('Nothing you entered is lost. Check the network and try again.')}</p>
        ) : null}
        <ErrorDetails reference={errorReference(error)} />
      </EmptyState>
    </div>
  )
}

/** The same call may succeed the next time: a network, a server or a limit that was in the way. A refusal stays one. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof CallError) || error.status === 408 || error.status === 429 || error.status === 444 || error.status >= 500
