/* A disk that logs its calls and can fail: these functions are preloaded before libc.

   Every write, truncation, sync, creation, renaming and removal of a file in the folder
   REFEREE_DISK is appended to the file REFEREE_DISK_LOG, in the order in which they took effect: a
   line "what, path, number, length", separated by tabs, then as many bytes as were written. Files
   in shared memory (-shm) are left out, as they are made anew after a power loss.

   `disk_fail` makes a later call fail. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define FILES 4096
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *paths[FILES]; /* of the open files that are watched, by their descriptors */
static int log_file = -1;

static int countdown, code, failed, lasting;

/* Make the call after the next `after` ones fail with this error: ENOSPC fails writes (half of the
   data is written), EAGAIN the taking of locks, any other error reads, writes, truncations and
   syncs. With `from_then_on` all that follow fail, too. The error 0 ends this.
   Returns how many calls have failed since `disk_fail` was last called. */
int disk_fail(int after, int error, int from_then_on)
{
    pthread_mutex_lock(&lock);
    int times = failed;
    countdown = after, code = error, failed = 0, lasting = from_then_on;
    pthread_mutex_unlock(&lock);
    return times;
}

static int fails(int fd, int is_lock, int is_write)
{
    if (!code || fd < 0 || fd >= FILES || !paths[fd])
        return 0;
    if (code == EAGAIN ? !is_lock : is_lock || (code == ENOSPC && !is_write))
        return 0;
    if (countdown-- > 0 || (failed && !lasting))
        return 0;
    failed++;
    return 1;
}

static int watched(const char *path)
{
    const char *folder = getenv("REFEREE_DISK");
    return folder && path && !strncmp(path, folder, strlen(folder));
}

static void note(const char *what, const char *path, long long number, const void *data, size_t size)
{
    const char *name = getenv("REFEREE_DISK_LOG");
    size_t length = strlen(path);
    if (!name || (length > 4 && !strcmp(path + length - 4, "-shm")))
        return;
    if (log_file < 0)
        log_file = REAL(open64)(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    char line[PATH_MAX + 64];
    int head = snprintf(line, sizeof line, "%s\t%s\t%lld\t%zu\n", what, path, number, size);
    if (REAL(write)(log_file, line, head) != head
        || (size && REAL(write)(log_file, data, size) != (ssize_t)size))
        abort(); /* an incomplete log would prove nothing */
}

static int opened(int fd, const char *path, int flags, int was_there)
{
    pthread_mutex_lock(&lock);
    if (fd >= 0 && fd < FILES && watched(path)) {
        free(paths[fd]);
        paths[fd] = strdup(path);
        if (!was_there)
            note("create", path, 0, NULL, 0);
        else if (flags & O_TRUNC)
            note("truncate", path, 0, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    return fd;
}

#define OPEN(name)                                                                              \
    int name(const char *path, int flags, ...)                                                  \
    {                                                                                           \
        va_list more;                                                                           \
        va_start(more, flags);                                                                  \
        int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, int) : 0;                        \
        va_end(more);                                                                           \
        int was_there = !watched(path) || !access(path, F_OK);                                  \
        return opened(REAL(name)(path, flags, mode), path, flags, was_there);                   \
    }

OPEN(open)
OPEN(open64)

int close(int fd)
{
    pthread_mutex_lock(&lock);
    if (fd >= 0 && fd < FILES) {
        free(paths[fd]);
        paths[fd] = NULL;
    }
    pthread_mutex_unlock(&lock);
    return REAL(close)(fd);
}

static ssize_t put(int fd, const void *data, size_t size, off64_t place)
{
    pthread_mutex_lock(&lock);
    int full = fails(fd, 0, 1), error = code;
    if (full && error == ENOSPC)
        size /= 2;
    ssize_t done = full && error != ENOSPC ? -1 : REAL(pwrite64)(fd, data, size, place);
    if (done > 0 && fd >= 0 && fd < FILES && paths[fd])
        note("write", paths[fd], place, data, done);
    pthread_mutex_unlock(&lock);
    if (full)
        errno = error;
    return full ? -1 : done;
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t place)
{
    return put(fd, data, size, place);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t place)
{
    return put(fd, data, size, place);
}

ssize_t write(int fd, const void *data, size_t size)
{
    if (fd < 0 || fd >= FILES || !paths[fd])
        return REAL(write)(fd, data, size);
    off64_t place = lseek64(fd, 0, SEEK_CUR);
    ssize_t done = put(fd, data, size, place);
    if (done > 0)
        lseek64(fd, place + done, SEEK_SET);
    return done;
}

ssize_t pread64(int fd, void *data, size_t size, off64_t place)
{
    pthread_mutex_lock(&lock);
    int broken = fails(fd, 0, 0), error = code;
    pthread_mutex_unlock(&lock);
    if (!broken)
        return REAL(pread64)(fd, data, size, place);
    errno = error;
    return -1;
}

#define SYNC(name)                                                                              \
    int name(int fd)                                                                            \
    {                                                                                           \
        pthread_mutex_lock(&lock);                                                              \
        int broken = fails(fd, 0, 0), error = code;                                             \
        int done = broken ? -1 : REAL(name)(fd);                                                \
        if (!done && fd >= 0 && fd < FILES && paths[fd])                                        \
            note("sync", paths[fd], 0, NULL, 0);                                                \
        pthread_mutex_unlock(&lock);                                                            \
        if (broken)                                                                             \
            errno = error;                                                                      \
        return done;                                                                            \
    }

SYNC(fsync)
SYNC(fdatasync)

int ftruncate64(int fd, off64_t size)
{
    pthread_mutex_lock(&lock);
    int broken = fails(fd, 0, 0), error = code;
    int done = broken ? -1 : REAL(ftruncate64)(fd, size);
    if (!done && fd >= 0 && fd < FILES && paths[fd])
        note("truncate", paths[fd], size, NULL, 0);
    pthread_mutex_unlock(&lock);
    if (broken)
        errno = error;
    return done;
}

int fcntl64(int fd, int what, ...)
{
    va_list more;
    va_start(more, what);
    void *given = va_arg(more, void *);
    va_end(more);
    if (what == F_SETLK && ((struct flock *)given)->l_type != F_UNLCK) {
        pthread_mutex_lock(&lock);
        int busy = fails(fd, 1, 0);
        pthread_mutex_unlock(&lock);
        if (busy) {
            errno = EAGAIN;
            return -1;
        }
    }
    return REAL(fcntl64)(fd, what, given);
}

/* No program releases a lock that is made to fail, so SQLite need not pause before it retries. */
int nanosleep(const struct timespec *asked, struct timespec *left)
{
    return code == EAGAIN ? 0 : REAL(nanosleep)(asked, left);
}

int usleep(useconds_t asked)
{
    return code == EAGAIN ? 0 : REAL(usleep)(asked);
}

int rename(const char *from, const char *to)
{
    pthread_mutex_lock(&lock);
    int done = REAL(rename)(from, to);
    if (!done && watched(from))
        note("rename", from, 0, to, strlen(to));
    pthread_mutex_unlock(&lock);
    return done;
}

int unlink(const char *path)
{
    pthread_mutex_lock(&lock);
    int done = REAL(unlink)(path);
    if (!done && watched(path))
        note("remove", path, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return done;
}
