/** Schedule: the board for those who plan, the own shifts for everyone else. */
import { useIsAllowed } from '#ui/query/session.ts'
import { MyShifts } from './MyShifts.tsx'
import { PlannerBoard } from './PlannerBoard.tsx'

export function ScheduleScreen() {
  const plans = useIsAllowed(['schedule_admin'])
  return plans ? <PlannerBoard /> : <MyShifts />
}
