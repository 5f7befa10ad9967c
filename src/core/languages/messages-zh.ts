/**
 * The Chinese words of messages of the API that people meet on the server's pages and in the console, by the English ones.
 * `{name}` stands for a value.
 */
export const MESSAGES_CHINESE: Readonly<Record<string, string>> = {
  // Requests
  'The {kind} does not exist, or you cannot see it': '所请求的内容不存在，或您无权查看',
  'Too many attempts; retry in {seconds} seconds': '尝试次数过多；请在 {seconds} 秒后重试',
  'The server has too many passwords to check; retry in {seconds} seconds':
    '服务器需要检查的密码过多；请在 {seconds} 秒后重试',
  'More than {limit} requests in a minute; retry when the minute is over':
    '一分钟内的请求超过 {limit} 个；请在一分钟后重试',
  'The request must not contain the character NUL': '请求不能包含字符 NUL',
  'The browser sent a request that this page does not take.': '此页面不接受浏览器发送的请求。',
  'This form was sent from a page of another site. Open the page of this server and try again.':
    '此表单是从其他网站的页面发送的。请打开此服务器的页面并重试。',
  'An unexpected error occurred. The log of the server has the details of request {id}.':
    '发生意外错误。服务器日志中有请求 {id} 的详细信息。',
  'The database cannot be reached; retry the request': '无法连接数据库；请重试',
  'The database took too long; retry the request': '数据库响应时间过长；请重试',
  'The disk of the database is full; retry when there is space': '数据库的磁盘已满；请在有空间后重试',
  'The database is read-only; retry when it can be written': '数据库是只读的；请在可以写入后重试',
  'The database file is damaged; restore a backup': '数据库文件已损坏；请恢复备份',
  'The disk for uploaded files is full; retry when there is space':
    '存放上传文件的磁盘已满；请在有空间后重试',
  'The folder for uploaded files cannot be used; retry when it can':
    '无法使用存放上传文件的文件夹；请在可用后重试',

  // Values
  'is required': '必填',
  'must not be blank': '不能为空白',
  'must be an e-mail address': '必须是邮箱地址',
  'must be an e-mail address, but was {value}': '必须是邮箱地址，但现在是 {value}',
  'must have at least 1 character, but has 0': '不能为空',
  'must have at least {limit} characters, but has {size}': '至少需要 {limit} 个字符，但只有 {size} 个',
  'must have at most {limit} characters, but has {size}': '最多 {limit} 个字符，但有 {size} 个',
  'must not be blank, but was {value}': '不能为空白',
  'cannot have a condition, but has {value}: put the condition around a whole block of a page, or set the condition of the page':
    '不能包含条件，但包含 {value}：请将条件放在页面的整个内容块周围，或设置页面的条件',
  'must not contain the character NUL': '不能包含字符 NUL',
}
