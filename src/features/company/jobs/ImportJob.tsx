/** The import of a file as it goes: how far it is, what stopped it, and how many rows became what. */
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Call } from '#contract/endpoint.ts'
import { Progress } from '#ui/kit/Progress.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { jobs } from './jobs.contract.ts'

export interface ImportedRows {
  counts: { created: number; updated: number; unchanged: number; refused: number }
  /** The rows that need a person. */
  findings: ReactNode
}

interface ImportJobProps {
  id: number
  /** The list that the import changes. */
  refreshes: Call
  /** Null while the job has no result. */
  read: (result: unknown) => ImportedRows | null
}

export function ImportJob({ id, refreshes, read }: ImportJobProps) {
  const t = useT()
  const job = useCall(jobs.get, { id }, { live: ['job'] })
  const cancel = useSend(jobs.cancel, { refreshes: [jobs.get, refreshes] })
  return (
    <QueryState of={job}>
      {({ title, state, done, total, message, refusal, result, started_at }) => {
        const rows = read(result)
        return (
          <>
            <Progress
              label={title}
              done={done}
              total={state === 'done' ? done : total}
              began={started_at}
              state={state === 'queued' ? 'running' : state}
              cancel={() => cancel.mutate({ id })}
              cancelling={cancel.isPending}
            />
            {message ? (
              <Text c="brick" mt="sm">
                {refusal ? t(refusal.text, refusal.values) : t(message)}
              </Text>
            ) : null}
            {rows ? (
              <>
                <Text mt="md">
                  {t('{{created}} created, {{updated}} updated, {{unchanged}} unchanged, {{refused}} refused', rows.counts)}
                </Text>
                {rows.findings}
              </>
            ) : null}
          </>
        )
      }}
    </QueryState>
  )
}
