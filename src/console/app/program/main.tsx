/** Starts the console: the first requests are on their way while the browser loads the rest of the program. */
import { beginScreen } from './early.ts'

void import('./program.tsx')
beginScreen(location.pathname)
