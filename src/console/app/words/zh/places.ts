/** The Chinese words of collections, of the places of spaces, of people and of the profile, by the English ones. */
export const PLACE_CHINESE: Readonly<Record<string, string>> = {
  Profile: '个人资料',
  'Nobody has been given a role here.': '没有人在此拥有单独的角色。',
  'This organization cannot be shown': '无法显示此组织',
  'You can join': '你可以加入',
  Join: '加入',
  Access: '权限',
  'What {name} can see': '{name}可以看到的内容',
  'Mark as a user of single sign-on': '标记为单点登录用户',
  'Mark as a user of single sign-on?': '要标记为单点登录用户吗？',
  'The member is shown as one who signs in by your identity provider.':
    '该成员将显示为通过身份提供方登录的用户。',
  'On this screen': '在此界面',
  'Copy as API call: {request}': '复制为 API 调用：{request}',
  'New collection': '新建集合',
  'A collection holds spaces that belong together, and other collections.': '集合包含相关的空间和其他集合。',
  Move: '移动',
  Collection: '集合',
  Collections: '集合',
  'None: at the top level': '无：位于顶层',
  'Transfer to another organization': '转移到其他组织',
  Transfer: '转移',
  'Transfer {name}?': '要转移{name}吗？',
  'Access that was given here, invite links and the values of custom fields are lost.':
    '在此授予的权限、邀请链接和自定义字段的值将丢失。',
  'Who can sign in': '谁可以登录',
  'Only members who sign in by a provider below': '仅限通过下列提供方登录的成员',
  'Provisioning (SCIM)': '用户供应（SCIM）',
  'New token': '新建令牌',
  'An identity provider can create, disable and group the members.':
    '身份提供方可以创建、停用成员并将其分组。',
  'Enter these at your identity provider. The token is not shown again.':
    '请在身份提供方处输入这些内容。令牌不会再次显示。',
  'There is no token yet.': '还没有令牌。',
  'Created {time}': '创建于{time}',
  'Never used': '从未使用',
  'Last used {time}': '上次使用于{time}',
  'Delete this token?': '要删除此令牌吗？',
  'The identity provider can no longer change the members. Members and teams stay.':
    '身份提供方将无法再更改成员。成员和团队会保留。',
  'Duplicate this space': '复制此空间',
  'The copy has the same pages, files, settings and access, but no history and no change requests.':
    '副本具有相同的页面、文件、设置和权限，但没有历史记录和变更请求。',
  Duplicate: '复制',
  'Synced from': '同步来源',
  'Show the source of the last sync': '显示上次同步的来源',
  Source: '来源',
  Branch: '分支',
  Folder: '文件夹',
  Commit: '提交',
  'Last synced': '上次同步',
  'The change request of the last sync': '上次同步的变更请求',
  'Changing the merge rules requires the role “Administrator” on the space.':
    '更改合并规则需要此空间的“管理员”角色。',
  'Changing a collection requires the role “Creator” on it.': '更改集合需要其“创建者”角色。',
  'Sharing a space requires the role “Creator” on it.': '共享空间需要其“创建者”角色。',
  'Everyone who can see this collection': '可以看到此集合的所有人',
  'This collection cannot be shown': '无法显示此集合',
  'There is no space in this collection yet.': '此集合中还没有空间。',
  'Delete this collection': '删除此集合',
  'The collections in it are deleted too. You can restore the spaces in it for seven days.':
    '其中的集合也会被删除。其中的空间在七天之内可以恢复。',
  'Delete {name} and everything in it?': '要删除{name}及其中的所有内容吗？',
  'Readers and members no longer see the spaces in it.': '读者和成员将无法再看到其中的空间。',
  'Example in the empty field': '空字段中的示例',
  'Options, with commas between them': '选项，用逗号分隔',
  'Spaces lose the value of an option that you remove.': '移除选项后，空间会失去该选项的值。',
  'There is no space yet. A space holds the pages of one documentation.':
    '还没有空间。空间包含一份文档的页面。',
  'Nobody is here.': '这里没有人。',
  'active {time}': '{time}活跃',
  'Your profile cannot be shown': '无法显示你的个人资料',
  'Password, tokens and sessions': '密码、令牌和会话',
  Picture: '头像',
  'Your picture': '你的头像',
  'New picture': '新头像',
  'PNG, JPEG, GIF or WebP, at most 1 MB': 'PNG、JPEG、GIF 或 WebP，最大 1 MB',
  'Remove the picture': '移除头像',
  'About you': '关于你',
  Language: '语言',
  'That of the browser': '跟随浏览器',
  'The console has English and Chinese. It shows the change when you open it again.':
    '控制台提供英文和中文。重新打开后显示更改。',
  'Time zone': '时区',
  'That of the device': '跟随设备',
  Appearance: '外观',
  'Colours in this browser': '此浏览器中的颜色',
  'E-mail about unread notifications': '未读通知的电子邮件',
  'Once a day': '每天一次',
  Revision: '修订版本',
  'This is how the space was at an earlier revision.': '这是空间在较早修订版本时的样子。',
  'This is how a change request was at an earlier revision.': '这是变更请求在较早修订版本时的样子。',
  'This is how the space is now.': '这是空间现在的样子。',
  'Show the space as it is now': '显示空间现在的样子',
  'Name in the addresses of sites': '站点地址中的名称',
  'If you change it, the addresses of all sites change.': '更改后，所有站点的地址都会改变。',
  'Check whether links to other websites work': '检查指向其他网站的链接是否有效',
  'Not set': '未设置',
  Description: '说明',
  'Delete {name}?': '要删除{name}吗？',
  'As in the collection around it': '与所在集合相同',
  'As in the organization': '与组织相同',
  'You can choose members of the organization and teams.': '你可以选择组织的成员和团队。',
  'Members have their role in the collection around it, or else in the organization.':
    '成员使用其在上一级集合中的角色；没有集合时，使用其在组织中的角色。',
  'Can do everything, including settings and people.': '可以执行所有操作，包括更改设置和管理人员。',
  'Can do what a Reviewer can, and create, share and publish spaces.':
    '可以做审阅者能做的事，还可以创建、共享和发布空间。',
  'Can do what an Editor can, and review and merge change requests.':
    '可以做编辑者能做的事，还可以审阅和合并变更请求。',
  'Can do what a Commenter can, and write: in change requests, or directly if the space is not locked.':
    '可以做评论者能做的事，还可以编写：在变更请求中编写；如果空间未锁定，也可以直接编写。',
  'Can read and comment.': '可以阅读和发表评论。',
  'Can read pages, comments and change requests.': '可以阅读页面、评论和变更请求。',
  'Sees only what is shared with them.': '只能看到与其共享的内容。',
  'Sees nothing here. Administrators of the organization still see everything.':
    '在此看不到任何内容。组织的管理员仍可看到全部内容。',
  'Members can sign in only by this provider. To delete it, first allow other ways to sign in.':
    '成员只能通过此提供方登录。要删除它，请先允许其他登录方式。',
  'The file would be kept with a space. Create a space before you upload one.':
    '文件会与空间一起保存。请先创建空间，再上传文件。',
  'To require this, first set up a provider below until it is active.':
    '要启用此要求，请先在下方设置一个提供方，直到其处于有效状态。',
  '{name} is the only administrator. To change that, first make another member an administrator.':
    '{name}是唯一的管理员。要更改这一点，请先将另一名成员设为管理员。',
  'The server': '服务器',
  'The event as the API returns it': 'API 返回的原始事件',
  'The table of contents lists these pages, but their files are missing. The pages are empty: write them, or delete them.':
    '目录中列出了这些页面，但缺少对应的文件。这些页面是空的：请编写内容，或将其删除。',
  'These pages show a picture or a file that is missing. Open them, and insert it again.':
    '这些页面使用的图片或文件缺失。请打开页面，重新插入。',
  'These pages could not be read, and show their source. Open them, and correct the text.':
    '无法读取这些页面，因此显示其源文本。请打开页面并更正文本。',
  'Conditions in these pages hide more from readers than their author may have meant. Open the source of each page, and correct the condition.':
    '这些页面中的条件对读者隐藏的内容可能比作者想要的更多。请打开每个页面的源代码，并更正条件。',
  'A part of these pages looks different or is missing. Compare them with the original.':
    '这些页面的部分内容显示不同或缺失。请与原文对照。',
  'These settings could not be used. Correct them in the file, and import it again.':
    '无法使用这些设置。请在文件中更正，然后重新导入。',
  'These redirects lead nowhere and were left out. Create them again under “Redirects”.':
    '这些重定向没有有效目标，已被略过。请在“重定向”中重新创建。',
  'These pages were left out, because the table of contents does not list them. To have them too, list them in the file SUMMARY.md and import again, or import each as a single Markdown file.':
    '目录中没有列出这些页面，因此它们被略过。如果需要，请将其列入文件 SUMMARY.md 后重新导入，或逐个作为 Markdown 文件导入。',
  'These files are written for Docusaurus and were left out. To have them too, import again and choose “Docusaurus”.':
    '这些文件是为 Docusaurus 编写的，已被略过。如果需要，请重新导入并选择“Docusaurus”。',
  'The table of contents lists these pages twice. The second place is a link to the page. You need not do anything.':
    '目录中重复列出了这些页面。第二处是指向该页面的链接。你无需进行任何操作。',
  'Something was lost in these places. Compare them with the original.':
    '这些位置丢失了部分内容。请与原文对照。',
  'And {count} more.': '还有 {count} 项。',
  'Allow invite links': '允许邀请链接',
  'Such as example.com. Everyone who has confirmed an e-mail address there can join without an invitation.':
    '例如 example.com。凡已确认该域邮箱地址的人，无需邀请即可加入。',
  'Site that opens at the address of the organization': '在组织地址打开的站点',
  'The collection also decides who can see this, so some people may gain or lose access.':
    '集合也决定谁可以看到此内容，因此有些人可能会获得或失去访问权限。',
  'All other members': '所有其他成员',
  'Members who signed in with a password or passkey lose access at once, and so do API tokens that were not authorized in a session by a provider below.':
    '用密码或通行密钥登录的成员会立即失去访问权限，未在通过以下提供方登录的会话中授权的 API 令牌也是如此。',
  'Require single sign-on and lose access here?': '要求单点登录，并在此失去访问权限？',
  'You signed in with your own password or passkey. This session loses access to the organization at once.':
    '你是用自己的密码或通行密钥登录的。此会话会立即失去对该组织的访问权限。',
  'To come back, you sign in by a provider of the organization. Try first whether that works, in another browser.':
    '要重新进入，请通过该组织的提供方登录。请先在另一个浏览器中试一试是否可行。',
  'Move…': '移动…',
  'Move “{title}”': '移动“{title}”',
  'Require it and lose access': '要求并失去访问权限',
  '“{title}” is back in its place': '“{title}”已恢复到原处',
}
