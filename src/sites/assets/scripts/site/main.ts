/**
 * The script of every page. A page is complete without it. The script requests only entries of the page tree that a large
 * site leaves out, and the Markdown of the page, to copy it. It finds elements by their classes and never by ids, because
 * content can choose ids.
 */
import { startAnchors } from './anchors.ts'
import { startAnnouncement } from './announcement.ts'
import { startCode } from './code.ts'
import { startCovers } from './covers.ts'
import { reportView } from '../kit/events.ts'
import { startFeedback } from './feedback.ts'
import { startFilms } from './films.ts'
import { startMenus } from './menus.ts'
import { startOutline } from './outline.ts'
import { startPageActions } from './page-actions.ts'
import { startPageTree } from './page-tree.ts'
import { startPrinting } from './printing.ts'
import { startSearch } from './search.ts'
import { startSections } from './sections.ts'
import { startTabs } from './tabs.ts'
import { startThemeButton } from './theme-button.ts'
import { startZoom } from './zoom.ts'

startPrinting()
startThemeButton()
startMenus()
startSections()
startAnnouncement()
startSearch()
startPageActions()
reportView()
startFeedback()
startPageTree()
startOutline()
const reveal = startTabs()
startCode()
startZoom()
startCovers()
startFilms()
startAnchors(reveal)
