/** First steps: the way of a new company to its first parcel, each step with the page on which it is taken. */
import { Button } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { Link } from '#ui/kit/Link.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import style from './FirstSteps.module.css'
import { useFirstSteps } from './first-steps.client.ts'
import { firstSteps } from './first-steps.contract.ts'
import type { FirstSteps } from './first-steps.schemas.ts'

export function FirstStepsScreen() {
  const t = useT()
  // A person who comes back from a step has just taken it.
  const done = useCall(firstSteps.get, {}, { fresh: 0 })
  return (
    <Page
      title={t('First steps')}
      note={t('What a new company does until its first parcel leaves. All of it can be changed later.')}
      narrow
    >
      <QueryState of={done} shape="rows">
        {done => <Steps done={done} />}
      </QueryState>
    </Page>
  )
}

function Steps({ done }: { done: FirstSteps }) {
  const t = useT()
  const steps = useFirstSteps(done)
  const next = steps.find(step => !step.done)
  return (
    <>
      <p role="status">
        {next
          ? t('{{done}} of {{all}} steps are done.', { done: steps.filter(step => step.done).length, all: steps.length })
          : t('All steps are done.')}
      </p>
      <ol className={style.steps}>
        {steps.map(({ title, why, to, search, action, offered, ...step }) => (
          <li key={title} className={style.step} aria-current={title === next?.title ? 'step' : undefined}>
            {step.done ? (
              <IconCircleCheckFilled className={style.done} aria-label={t('Done')} />
            ) : (
              <IconCircle aria-label={t('Not done yet')} />
            )}
            <div className={style.words}>
              <h2>{title}</h2>
              <p>{why}</p>
            </div>
            {offered ? (
              <Button
                component={Link}
                to={to}
                search={search}
                variant={title === next?.title ? 'filled' : 'default'}
                aria-label={`${title}: ${action}`}
              >
                {action}
              </Button>
            ) : null}
          </li>
        ))}
      </ol>
    </>
  )
}
