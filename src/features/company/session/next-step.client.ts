/** What follows a sign-in that asks for more. */
import { CallError } from '#ui/query/call-error.ts'
import type { NextStep } from './SecondFactorStep.tsx'

/** Where the own password is chosen, of a user whose password was given by an administrator; null for other refusals. */
export const ownPasswordPath = (failure: unknown): string | null =>
  failure instanceof CallError && failure.code === 'own_password_needed' ? `/login/password#${failure.values.token}` : null

/** Null for other refusals. */
export function nextStepOf(failure: unknown): NextStep | null {
  if (!(failure instanceof CallError)) return null
  if (failure.code !== 'second_factor_needed' && failure.code !== 'second_factor_setup_needed') return null
  const methods = String(failure.values.methods ?? '')
  return { challenge_id: String(failure.values.challenge_id), methods: methods === '' ? [] : methods.split(' ') }
}
